/// The state of an object that is new, changed or observed.
@usableFromInline final class ObjectState {
    /// The effect of the next save on the object.
    enum Phase {
        /// None: it has no context.
        case detached
        /// None: it is unchanged.
        case clean
        case inserted, updated, deleted
    }

    /// A property before its first change.
    struct Base {
        let attribute: Int
        let value: StoredValue
        /// Whether the store was seen with another value: an assignment of the earlier one is then a change as well.
        var isOutdated = false
    }

    /// The row of a to-one relationship before its first change.
    struct LinkBase {
        let relationship: Int
        let row: Int64
        /// Whether the store was seen with another row.
        var isOutdated = false
    }

    // Exclusivity unchecked: an object belongs to one isolation, and no access outlasts a call.
    @safe @exclusivity(unchecked) var phase: Phase
    /// Whether the object is found by its identity, so that an assignment to the identity is recorded.
    @safe @exclusivity(unchecked) var isIndexed = false
    /// Whether the ID was obtained before the object was saved.
    @safe @exclusivity(unchecked) var hasSharedID = false
    /// Whether a change that no context saves was logged.
    @safe @exclusivity(unchecked) var hasLoggedChange = false
    @safe @exclusivity(unchecked) @usableFromInline var assigned = AssignedProperties()
    /// The index among the changed objects of the context.
    @safe @exclusivity(unchecked) var place = 0
    @safe @exclusivity(unchecked) var bases: [Base] = []
    @safe @exclusivity(unchecked) var linkBases: [LinkBase] = []
    /// The number of the last save whose hook was called.
    @safe @exclusivity(unchecked) var lastHook = 0
    /// The number of the last save for which the object was validated.
    @safe @exclusivity(unchecked) var lastValidation = 0
    /// What few objects have; `nil` for most objects.
    @safe @exclusivity(unchecked) private(set) var details: ObjectDetails?

    init(_ phase: Phase) { self.phase = phase }

    private func makeDetails() -> ObjectDetails {
        let details = details ?? ObjectDetails()
        self.details = details
        return details
    }

    func isAssigned(_ offset: Int) -> Bool {
        assigned.contains(offset) || details?.watched.contains(offset) ?? false
    }

    /// All assigned properties.
    var allAssigned: AssignedProperties {
        get {
            guard let details else { return assigned }
            var all = assigned
            for offset in details.watched { _ = all.insert(offset) }
            return all
        }
        set {
            assigned = newValue
            details?.watched = []
            isIndexed = false
        }
    }

    /// Marks a property as assigned.
    ///
    /// - Returns: Whether it was not assigned before.
    func assign(_ offset: Int) -> Bool {
        guard let details, let index = details.watched.firstIndex(of: offset) else { return assigned.insert(offset) }
        details.watched.remove(at: index)
        _ = assigned.insert(offset)
        return false
    }

    /// Marks a property of a new object as assigned, unless more has to be recorded.
    @inline(__always) func assignDirectly(_ offset: Int) -> Bool {
        guard phase == .inserted, !isIndexed, details == nil else { return false }
        _ = assigned.insert(offset)
        return true
    }

    /// Makes the next assignment of a property be recorded, although the property may be assigned.
    func watch(_ offset: Int) {
        if assigned.remove(offset) { makeDetails().watched.append(offset) }
    }

    /// Returns the row that a to-one relationship had before it was changed; `nil` for one without changes.
    func savedRow(of relationship: Int) -> Int64? { linkBases.first { $0.relationship == relationship }?.row }

    /// Discards all changes.
    func clear(_ phase: Phase) {
        self.phase = phase
        allAssigned = AssignedProperties()
        bases = []
        linkBases = []
        details?.clear()
    }
}

/// The parts of the state that few objects have.
final class ObjectDetails {
    // Exclusivity unchecked: as in `ObjectState`.
    /// Assigned properties of the identity, by offset, whose next assignment is recorded as well: the object is found by
    /// their values.
    @safe @exclusivity(unchecked) fileprivate var watched: [Int] = []
    /// The rows of relationships in link tables before their first change, by relationship.
    @safe @exclusivity(unchecked) fileprivate(set) var listBases: [Int: [Int64]] = [:]
    /// The one-to-one relationships that the file has received with their other side, and that a remote has not: with the
    /// earlier rows.
    @safe @exclusivity(unchecked) fileprivate(set) var unsentTargets: [Int: Int64] = [:]
    /// The to-many relationships that were assigned or changed in place, other than by their inverses.
    @safe @exclusivity(unchecked) fileprivate var assignedLists: Set<Int> = []
    /// The lists of relationships that were read, with changes by inverses that were not applied yet, by relationship.
    @safe @exclusivity(unchecked) var editedLists: [Int: EditedList] = [:]
    /// The to-many relationships that were changed and whose inverses were not updated yet, as bits.
    @safe @exclusivity(unchecked) fileprivate var pendingLists: UInt64 = 0
    /// The targets of to-one relationships of an object without a context, by offset.
    @safe @exclusivity(unchecked) var detachedTargets: [Int: ManagedObject] = [:]
    /// The to-many relationships of an object without a context that were assigned, by offset.
    @safe @exclusivity(unchecked) var detachedLists: [Int] = []
    /// The reasons why the object cannot be saved.
    @safe @exclusivity(unchecked) fileprivate(set) var problems: [ObjectProblem] = []
    /// The reason why the values could not be read.
    @safe @exclusivity(unchecked) fileprivate var readError: StoreError?
    /// The values of attributes before they were assigned after the validation.
    @safe @exclusivity(unchecked) fileprivate var lateBases: [ObjectState.Base] = []
    /// Whether other changes were made after the validation.
    @safe @exclusivity(unchecked) fileprivate var hasLateLinks = false

    /// The context from which a deleted object can be inserted again.
    @safe @exclusivity(unchecked) weak var formerCore: AnyObject?

    /// Whether a server may have the new object.
    @safe @exclusivity(unchecked) fileprivate var isUnknown = false

    fileprivate func clear() {
        listBases = [:]
        unsentTargets = [:]
        assignedLists = []
        pendingLists = 0
        lateBases = []
        hasLateLinks = false
        problems = []
    }
}

/// Access to the details, which a change creates.
extension ObjectState {
    var listBases: [Int: [Int64]] {
        get { details?.listBases ?? [:] }
        _modify { yield &makeDetails().listBases }
    }

    var unsentTargets: [Int: Int64] {
        get { details?.unsentTargets ?? [:] }
        _modify { yield &makeDetails().unsentTargets }
    }

    var editedLists: [Int: EditedList] {
        get { details?.editedLists ?? [:] }
        _modify { yield &makeDetails().editedLists }
    }

    var assignedLists: Set<Int> {
        get { details?.assignedLists ?? [] }
        _modify { yield &makeDetails().assignedLists }
    }

    var pendingLists: UInt64 {
        get { details?.pendingLists ?? 0 }
        _modify { yield &makeDetails().pendingLists }
    }

    var detachedTargets: [Int: ManagedObject] {
        get { details?.detachedTargets ?? [:] }
        _modify { yield &makeDetails().detachedTargets }
    }

    var detachedLists: [Int] {
        get { details?.detachedLists ?? [] }
        _modify { yield &makeDetails().detachedLists }
    }

    var problems: [ObjectProblem] {
        get { details?.problems ?? [] }
        _modify { yield &makeDetails().problems }
    }

    var readError: StoreError? {
        get { details?.readError }
        set { if newValue != nil || details != nil { makeDetails().readError = newValue } }
    }

    var lateBases: [Base] {
        get { details?.lateBases ?? [] }
        _modify { yield &makeDetails().lateBases }
    }

    /// The context from which a deleted object can be inserted again; `nil` for most objects.
    var formerCore: AnyObject? {
        get { details?.formerCore }
        set { if newValue != nil || details != nil { makeDetails().formerCore = newValue } }
    }

    /// Whether a server may have the new object, because the outcome of its request is unknown.
    var isUnknown: Bool {
        get { details?.isUnknown ?? false }
        set { if newValue || details != nil { makeDetails().isUnknown = newValue } }
    }

    var hasLateLinks: Bool {
        get { details?.hasLateLinks ?? false }
        set { if newValue || details != nil { makeDetails().hasLateLinks = newValue } }
    }

    /// Forgets the problems of a relationship that is assigned again.
    func removeProblems(of property: String) { details?.problems.removeAll { $0.property == property } }

    /// Forgets lists with changes.
    func removeEditedLists() { details?.editedLists = [:] }
}

/// The assigned properties of an object, by offset.
@usableFromInline struct AssignedProperties: Sendable {
    // One bit per byte of the object; few objects have more than 256 bytes.
    @usableFromInline var first: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
    @usableFromInline var rest: [UInt64] = []

    // Inlined: the offset is known to the caller, so that one word is read.
    @inlinable @inline(__always) func contains(_ offset: Int) -> Bool {
        let bit = UInt64(1) << UInt64(offset & 63)
        return switch offset >> 6 {
        case 0: first.0 & bit != 0
        case 1: first.1 & bit != 0
        case 2: first.2 & bit != 0
        case 3: first.3 & bit != 0
        case let word: word - 4 < rest.count && rest[word - 4] & bit != 0
        }
    }

    /// - Returns: Whether the property was not in the set.
    mutating func insert(_ offset: Int) -> Bool {
        guard !contains(offset) else { return false }
        let bit = UInt64(1) << UInt64(offset & 63)
        switch offset >> 6 {
        case 0: first.0 |= bit
        case 1: first.1 |= bit
        case 2: first.2 |= bit
        case 3: first.3 |= bit
        case let word:
            while rest.count <= word - 4 { rest.append(0) }
            rest[word - 4] |= bit
        }
        return true
    }

    /// - Returns: Whether the property was in the set.
    mutating func remove(_ offset: Int) -> Bool {
        guard contains(offset) else { return false }
        let bit = UInt64(1) << UInt64(offset & 63)
        switch offset >> 6 {
        case 0: first.0 &= ~bit
        case 1: first.1 &= ~bit
        case 2: first.2 &= ~bit
        case 3: first.3 &= ~bit
        case let word: rest[word - 4] &= ~bit
        }
        return true
    }
}
