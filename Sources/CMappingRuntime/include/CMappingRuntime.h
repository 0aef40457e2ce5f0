#pragma once

#include <stdbool.h>
#include <stdint.h>

// A function of the Swift runtime that Swift code cannot name: it adds a reference to an object unless its last reference
// was released already. Weak references are read by it.
void *swift_tryRetain(void *object);

// A variable of the current thread.
void **mappingkit_objects_in_release(void);

static inline void *try_retain(void *object) { return swift_tryRetain(object); }

// The metadata of a Swift class is passed as its address, the bit pattern of its `ObjectIdentifier`. Its words up to the size of
// the metadata of its superclass have the methods of the superclass, overridden ones as well.

// Returns the index of the word with a method: the only one in which a class that overrides it differs from the superclass, and
// two classes that override other methods do not. Returns -1 if there is no such word, or if there are several.
long mappingkit_method_index(uintptr_t superclass, uintptr_t overriding, uintptr_t other, uintptr_t another);

// Whether a class has another implementation of a method than its superclass.
bool mappingkit_is_overridden(uintptr_t type, uintptr_t superclass, long index);
