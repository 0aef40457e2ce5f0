import Observation

/// What is remembered about an object that is new, changed or observed.
@usableFromInline final class ObjectState {
    /// What the next save does with the object.
    enum Phase {
        /// Nothing: it belongs to no context.
        case detached
        /// Nothing: it is as in the store.
        case clean
        case inserted, updated, deleted
    }

    /// A property before its first change.
    struct Base {
        let attribute: Int
        let value: StoredValue
    }

    /// The row of a relationship to one before its first change.
    struct LinkBase {
        let relationship: Int
        let row: Int64
    }

    var phase: Phase
    /// A bit for each byte of the object at which a property begins that was assigned.
    // Exclusivity unchecked: an object belongs to one isolation, and no access outlasts a call.
    @safe @exclusivity(unchecked) @usableFromInline var assigned: [UInt64] = []
    var bases: [Base] = []
    var linkBases: [LinkBase] = []
    /// The rows of relationships in link tables before their first change, by relationship.
    var listBases: [Int: [Int64]] = [:]
    /// Bits of the relationships to many that were changed and whose inverses were not.
    var pendingLists: UInt64 = 0
    /// The targets of relationships to one of an object without a context, by offset.
    var detachedTargets: [Int: ManagedObject] = [:]
    /// Why the object cannot be saved.
    var problems: [ObjectProblem] = []
    /// Why the values could not be read.
    var readError: StoreError?
    /// Whether the ID was handed out before the object was saved.
    var hasSharedID = false
    var registrar: ObservationRegistrar?

    init(_ phase: Phase) { self.phase = phase }

    @inlinable func isAssigned(_ offset: Int) -> Bool {
        let word = offset >> 6
        return word < assigned.count && assigned[word] & (UInt64(1) << UInt64(offset & 63)) != 0
    }

    /// Marks a property as assigned.
    ///
    /// - Returns: Whether it was not before.
    func assign(_ offset: Int) -> Bool {
        let word = offset >> 6
        while assigned.count <= word { assigned.append(0) }
        let bit = UInt64(1) << UInt64(offset & 63)
        defer { assigned[word] |= bit }
        return assigned[word] & bit == 0
    }

    /// Forgets all changes.
    func clear(_ phase: Phase) {
        self.phase = phase
        assigned.removeAll(keepingCapacity: true)
        bases = []
        linkBases = []
        listBases = [:]
        pendingLists = 0
        problems = []
    }
}

/// A reason why an object cannot be saved.
public struct ObjectProblem: Sendable, Hashable, CustomStringConvertible {
    /// The object; a temporary ID if it was not saved yet.
    public let object: ObjectID
    /// The name of the attribute or relationship; nil if the problem concerns the whole object.
    public let property: String?
    /// The reason.
    public let message: String

    /// The object, the property and the reason.
    public var description: String {
        "\(object.entity)\(property.map { ".\($0)" } ?? "") of \(object): \(message)"
    }
}
