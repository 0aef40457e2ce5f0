/// The objects of an observation.
///
/// The references of a long list are counted on another thread: that takes milliseconds for 100,000 objects, during which the
/// actor of the context could not draw.
final class ObservedObjects<Object: AnyObject>: @unchecked Sendable {  // guarded by the step, which waits
    private(set) var all: [Object] = []
    /// The same objects in an array without another owner; empty until it is needed.
    private var copy: [Object] = []
    /// The objects of the previous step, which a list of the program may have had until now.
    private var former: [Object] = []
    /// The objects that are only in the former list: their last references end on the actor of the context.
    private var removed: [Object] = []

    /// Copies the objects for a change, and releases those of the previous step; on any thread.
    func prepare() {
        former = []
        guard copy.isEmpty else { return }
        copy.reserveCapacity(all.count + QueryDifference.fewChanges)
        copy += all
    }

    /// Replaces all objects.
    func replace(with new: [Object]) { (all, copy, former, removed) = (new, [], [], []) }

    /// Applies a difference; if it is not empty, after ``prepare()``.
    ///
    /// - Parameter new: The objects of the inserted rows, in their order.
    func apply(_ difference: QueryDifference, inserting new: [Object]) {
        if difference.isEmpty { return }
        (removed, former) = (difference.deleted.map { all[$0] }, all)
        difference.apply(to: &copy, inserting: new)
        (all, copy) = (copy, [])
    }
}
