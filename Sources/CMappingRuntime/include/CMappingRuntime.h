#pragma once

// A function of the Swift runtime that Swift code cannot name: it adds a reference to an object unless its last reference
// was released already. Weak references are read by it.
void *swift_tryRetain(void *object);

// A variable of the current thread.
void **mappingkit_objects_in_release(void);

static inline void *try_retain(void *object) { return swift_tryRetain(object); }
