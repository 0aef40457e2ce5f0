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
    ///
    /// A change can consist of other sections only, for example of other names.
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

extension QueryChange {
    /// Compares two lists of distinct objects of a context.
    ///
    /// - Parameters:
    ///   - old: The previous objects.
    ///   - new: The objects.
    ///   - sections: The sections of the new objects.
    ///   - written: The objects that were written since, of which those in both lists are updated.
    ///   - isInitial: Whether these are the first objects.
    package init(from old: [Object], to new: [Object], sections: [Section], written: [Object], isInitial: Bool) {
        let rows = new.distinctRows
        let difference = QueryDifference(from: old.distinctRows, to: rows)
        let updated = difference.updates(in: rows, written: Set(written.map(\.row)))
        self.init(
            objects: new, sections: sections, isInitial: isInitial, deleted: difference.deleted,
            inserted: difference.inserted, moved: difference.moved.map { Move(from: $0.from, to: $0.to) },
            updated: updated)
    }

    /// Whether the objects are the previous ones, in the same order and unchanged.
    package var isEmpty: Bool { deleted.isEmpty && inserted.isEmpty && moved.isEmpty && updated.isEmpty }

    /// Returns the change with other sections.
    package func with(_ sections: [Section]) -> QueryChange {
        QueryChange(
            objects: objects, sections: sections, isInitial: isInitial, deleted: deleted, inserted: inserted,
            moved: moved, updated: updated)
    }
}

extension QueryChange.Section {
    /// Returns the sections of objects, in their order.
    package static func sections<Failure: Error>(
        of objects: [Object], by sectionName: (Object) throws(Failure) -> String
    ) throws(Failure) -> [QueryChange.Section] {
        var sections: [QueryChange.Section] = []
        for (index, object) in objects.enumerated() {
            let name = try sectionName(object)
            let start = sections.last?.name == name ? sections.removeLast().range.lowerBound : index
            sections.append(QueryChange.Section(name: name, range: start..<index + 1))
        }
        return sections
    }
}

extension Array where Element: ManagedObject {
    /// The rows; objects that left the context have numbers that no row has.
    var distinctRows: [Int64] { enumerated().map { $1.row == 0 ? .min + Int64($0) : $1.row } }
}
