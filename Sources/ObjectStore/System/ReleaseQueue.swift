import CMappingRuntime

/// Releases objects to which a released object refers.
///
/// Their deinitializers call this again, for the objects to which they refer: these are released afterwards, because a
/// chain of objects can be longer than the stack.
final class ReleaseQueue {
    // Exclusivity unchecked: a queue belongs to one call of `release` and its thread.
    @safe @exclusivity(unchecked) private var lists: [[ManagedObject]] = []

    static func release(_ objects: consuming [ManagedObject]) {
        guard !objects.isEmpty else { return }
        // Safe: it is the variable of this thread, and refers to a queue only while the call that created it runs.
        let current = unsafe mappingkit_objects_in_release()
        if let running = unsafe current?.pointee {
            return unsafe Unmanaged<ReleaseQueue>.fromOpaque(running).takeUnretainedValue().lists.append(objects)
        }
        let queue = ReleaseQueue()
        queue.lists.append(objects)
        unsafe current?.pointee = Unmanaged.passUnretained(queue).toOpaque()
        withExtendedLifetime(queue) { while queue.releaseNext() {} }
        unsafe current?.pointee = nil
    }

    private func releaseNext() -> Bool { lists.popLast() != nil }
}
