/// The objects of an observed query, and how they differ from the previous ones.
///
/// Animated updates of lists use these positions: deletions refer to the previous objects, insertions and updates to the
/// new ones, and moves to both.
///
/// ```swift
/// for try await change in context.observe(ProjectTask.all.sorted(by: \.name)) {
///     print("\(change.objects.count) tasks, \(change.inserted.count) of them are new")
/// }
/// ```
public struct QueryChange<Object: ManagedObjectClass> {
    /// The positions of an object that moved relative to the others.
    public struct Move: Hashable, Sendable {
        /// The position in the previous objects.
        public let from: Int
        /// The position in the new objects.
        public let to: Int
    }

    /// Consecutive objects with the same section name.
    public struct Section: Hashable, Sendable {
        /// The name.
        public let name: String
        /// The positions of the objects.
        public let range: Range<Int>
    }

    /// The objects, in the order of the query.
    public let objects: [Object]
    /// The sections, in the order of the objects; empty without a function that names them.
    public let sections: [Section]
    /// Whether these are the first objects of the observation; all of them are inserted.
    public let isInitial: Bool
    /// The ascending positions, in the previous objects, of those that are no longer among the objects.
    public let deleted: [Int]
    /// The ascending positions of the objects that were not among the previous ones.
    public let inserted: [Int]
    /// The objects that moved relative to the others, in the order of their new positions.
    public let moved: [Move]
    /// The ascending positions of previous objects that were written since, moved ones included.
    ///
    /// After raw SQL, a commit of another process or a commit of more than 50,000 rows, these are all previous objects.
    public let updated: [Int]
}
