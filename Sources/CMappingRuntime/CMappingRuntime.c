#include "CMappingRuntime.h"

// The layout of class metadata: https://github.com/swiftlang/swift/blob/main/docs/ABI/TypeMetadata.rst
static long word_count(uintptr_t type) {
#ifdef __APPLE__
    // The kind, the superclass, two words of the Objective-C runtime, and the data.
    const uint32_t *sizes = (const uint32_t *)(type + 5 * sizeof(uintptr_t));
#else
    // The kind and the superclass.
    const uint32_t *sizes = (const uint32_t *)(type + 2 * sizeof(uintptr_t));
#endif
    // The flags, the address point, size and alignment of objects, then the size and the address point of the metadata.
    return (long)((sizes[4] - sizes[5]) / sizeof(uintptr_t));
}

long mappingkit_method_index(uintptr_t superclass, uintptr_t overriding, uintptr_t other, uintptr_t another) {
    const uintptr_t *base = (const uintptr_t *)superclass;
    long found = -1;
    for (long index = 0; index < word_count(superclass); index++) {
        if (((const uintptr_t *)overriding)[index] == base[index]) { continue; }
        if (((const uintptr_t *)other)[index] != base[index]) { continue; }
        if (((const uintptr_t *)another)[index] != base[index]) { continue; }
        if (found >= 0) { return -1; }
        found = index;
    }
    return found;
}

bool mappingkit_is_overridden(uintptr_t type, uintptr_t superclass, long index) {
    return ((const uintptr_t *)type)[index] != ((const uintptr_t *)superclass)[index];
}

void **mappingkit_objects_in_release(void) {
    static _Thread_local void *objects;
    return &objects;
}
