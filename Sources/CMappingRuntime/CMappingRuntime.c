#include "CMappingRuntime.h"

void **mappingkit_objects_in_release(void) {
    static _Thread_local void *objects;
    return &objects;
}
