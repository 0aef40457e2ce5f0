/// One decode whose objects belong to a data source.
///
/// Objects are found and added while they are read; `commit()` sets the connections.
final class SourceDecode {
    /// One object that is being read.
    struct Visit {
        fileprivate let outer: RuleMarks
        fileprivate let outerSlots: Range<Int>
        fileprivate let pending: Int
        let order: Int
        /// The state before the object, if its changes may have to be undone.
        let start: Savepoint?
    }

    /// The start of an object that may be read again.
    struct Start {
        private let fence: Bytes
        private let element: (index: Int, list: Bytes?)?

        init(_ reader: borrowing PlanReader) {
            fence = reader.fence
            element = reader.context?.pending
        }

        func rewind(_ reader: inout PlanReader) {
            reader.rewind(to: fence)
            reader.context?.pending = element
        }
    }

    /// A state for a rollback.
    struct Savepoint {
        fileprivate let source: Int
        fileprivate let pending: Int
        fileprivate let added: Int
    }

    /// The place of a value that was read before its object was created.
    struct Position {
        let place: Bytes
        let fence: Bytes
        /// Whether it is outside of the object, or the object itself: then it can have another place the next time.
        var isAround = false
    }

    /// A property of an object's identity, or its stamp.
    private struct Slot {
        var position: Position?
        var key: ObjectKey?
    }

    /// An object whose relationships will be set.
    private struct Pending {
        let source: AnyObject
        let group: ConnectionGroup
        /// Keys to be ignored because they were reset.
        let reset: UInt64
        /// Whether the data source contains the object; another one may turn out to be redundant.
        let isKnown: Bool
        var offset: Int
    }

    let source: any MappingDataSource
    /// The decode of the same data source that includes this one.
    private let outer: SourceDecode?
    // Exclusivity unchecked: a decode belongs to one thread and no access outlasts a call; the checks cost every object.
    /// Whether the keys of connections were collected before the payload was read.
    @safe @exclusivity(unchecked) var hasAllKeys = false
    /// Whether the bytes being read were already read for another model.
    @safe @exclusivity(unchecked) var isRereading = false
    @safe @exclusivity(unchecked) var marks = RuleMarks()
    /// The slots of the objects being read, outermost first; those after the current ones are unused.
    @safe @exclusivity(unchecked) private var slots: [Slot] = []
    @safe @exclusivity(unchecked) private var current = 0..<0
    @safe @exclusivity(unchecked) private var pending: [Pending] = []
    /// The objects that were added since the start of an object that may have to be undone.
    @safe @exclusivity(unchecked) private var added: [ObjectIdentifier]?
    private var start: Int?
    /// The error of the data source that ended the decode.
    @safe @exclusivity(unchecked) private(set) var failure: Finding?

    /// - Parameter outer: The decode that commits the changes of this one. Defaults to `nil`: this one commits them.
    init(_ source: any MappingDataSource, in outer: SourceDecode? = nil) {
        self.source = source
        self.outer = outer
    }

    // MARK: Objects

    /// Begins an object.
    ///
    /// - Parameters:
    ///   - slots: The number of values that can be read ahead.
    ///   - isUndoable: Whether its changes may have to be undone. Defaults to `false`.
    func begin(slots: Int = 0, order: Int = 0, isUndoable: Bool = false) -> Visit {
        if isUndoable, added == nil { added = [] }
        let visit = Visit(
            outer: marks, outerSlots: current, pending: pending.count, order: order,
            start: isUndoable ? savepoint() : nil)
        marks = RuleMarks()
        current = current.upperBound..<current.upperBound + slots
        for slot in current {
            if slot < self.slots.count { self.slots[slot] = Slot() } else { self.slots.append(Slot()) }
        }
        return visit
    }

    /// Ends an object; returns what the payload contained since its start.
    @discardableResult func end(_ visit: Visit) -> RuleMarks {
        defer {
            marks = visit.outer
            current = visit.outerSlots
        }
        return marks
    }

    /// Returns the place at which the value of a slot was read ahead; `nil` if it was not.
    func position(of slot: Int) -> Position? {
        slot < current.count ? slots[current.lowerBound + slot].position : nil
    }

    /// Whether the value of a slot at a place was read ahead; null is handled by its rule.
    func wasRead(_ place: Bytes, _ slot: Int) -> Bool {
        guard let position = position(of: slot), !place.isNull else { return false }
        return position.place == place || position.isAround
    }

    /// Returns the key of a slot of the current object as it was first read; `nil` if there was none.
    func key(of slot: Int) -> ObjectKey? { slot < current.count ? slots[current.lowerBound + slot].key : nil }

    func keep(_ key: ObjectKey, of slot: Int) { if slot < current.count { slots[current.lowerBound + slot].key = key } }

    /// Records the place of a slot's value; returns false if it is already known.
    func note(_ position: Position, of slot: Int) -> Bool {
        guard slots[current.lowerBound + slot].position == nil else { return false }
        slots[current.lowerBound + slot].position = position
        return true
    }

    /// Adds an object to the data source.
    func add(_ object: AnyObject, _ key: ObjectKey?, of kind: ObjectKind, order: Int) throws {
        try source.add(object, key, of: kind, order: order)
        added?.append(ObjectIdentifier(object))
    }

    /// Whether an object was added in an object that is being read.
    func wasAdded(_ object: AnyObject, in visit: Visit) -> Bool {
        guard let start = visit.start, let added else { return false }
        return added[start.added...].contains(ObjectIdentifier(object))
    }

    /// Records the relationships of an object that was read; they are set after everything is read.
    func connect(
        _ object: AnyObject, _ registration: Registration, _ marks: RuleMarks, isKnown: Bool, offset: Int
    ) {
        for group in registration.groups {
            let isMentioned = group.marks & (marks.mentioned | ~registration.ruled) != 0
            guard isMentioned || group.marks == 0 || group.hasCondition else { continue }
            pending.append(
                Pending(source: object, group: group, reset: marks.reset, isKnown: isKnown, offset: offset))
        }
    }

    /// Removes objects without a model, after another model was found for their identity.
    func forget(_ visit: Visit) {
        guard pending.count > visit.pending else { return }
        let known = pending[visit.pending...].filter(\.isKnown)
        pending.replaceSubrange(visit.pending..., with: known)
    }

    /// The number of objects whose relationships will be set.
    var pendingCount: Int { pending.count }

    /// Moves the findings since a number of objects to the offset of their value in the payload.
    func move(from first: Int, by offset: Int) {
        failure?.offset += offset
        for index in min(first, pending.count)..<pending.count { pending[index].offset += offset }
    }

    // MARK: Start and end

    /// Begins a payload, or an element of a stream.
    func begin() throws(MappingError) {
        if outer == nil { do { try source.begin() } catch { throw MappingError(.dataSource(error)) } }
        start = source.savepoint()
    }

    /// Begins an element at an offset; returns the error of the data source, if it refuses.
    func begin(at offset: Int) -> Finding? {
        do { try begin() } catch { fail(error, at: offset) }
        return failure
    }

    func savepoint() -> Savepoint {
        Savepoint(source: source.savepoint(), pending: pending.count, added: added?.count ?? 0)
    }

    /// Undoes the changes since a savepoint.
    func rollback(to point: Savepoint?) {
        guard let point else { return }
        source.rollback(to: point.source)
        pending.removeLast(pending.count - point.pending)
        if let count = added?.count { added?.removeLast(count - point.added) }
    }

    /// Undoes everything that was not committed.
    func rollback() {
        guard let start else { return }
        source.rollback(to: start)
        pending = []
        end()
    }

    private func end() {
        start = nil
        added = nil
        if outer == nil { source.end() }
    }

    /// Sets the relationships of the objects that were read, and commits everything; starts no further decode.
    ///
    /// - Returns: The error of the data source, after which everything is undone.
    func commit() -> Finding? {
        if let outer {
            outer.pending += pending
            pending = []
            end()
            return nil
        }
        var offset = pending.first?.offset ?? 0
        do {
            if source.findsAhead {
                var request = IdentityRequest()
                for item in pending where !hasAllKeys || !item.group.isCollected {
                    guard let (connection, keys) = keys(of: item) else { continue }
                    for key in keys ?? [] { request.add(key, of: connection.target) }
                }
                request.prefetch(from: source)
            }
            for item in pending {
                offset = item.offset
                // A condition can depend on relationships that were connected before.
                if let (connection, keys) = keys(of: item) { try source.connect(item.source, connection, keys) }
            }
            offset = 0
            try source.commit()
            pending = []
            if start != nil { end() }
            return nil
        } catch {
            fail(error, at: offset)
            rollback()
            return failure
        }
    }

    /// Returns the connection that sets a relationship, and the keys of its targets; `nil` without keys.
    private func keys(of item: Pending) -> (ObjectConnection, [ObjectKey]?)? {
        guard let first = item.group.connections.first else { return nil }
        let connection = item.group.connections.first { $0.rule.isMet(by: item.source) }
        let isReset = connection.map { item.reset & $0.marks != 0 } ?? true
        return (connection ?? first, isReset ? nil : connection?.rule.read(item.source))
    }

    /// Records an error that ends the decode.
    fileprivate func fail(_ error: any Error, at offset: Int, rule: String? = nil) {
        let issue = MappingIssue.dataSource(error)
        failure = Finding(
            kind: issue.kind, offset: offset, rule: -1, expected: issue.expected, found: issue.found,
            suggestions: issue.suggestions, value: issue.value, ruleName: rule)
    }
}

extension PlanReader {
    /// Ends the decode with an error of the data source; the caller returns as for invalid JSON.
    @inline(never) mutating func fail(_ error: any Error, at place: Bytes, _ rule: Int32) {
        // By name, because the rule can belong to another plan than the payload.
        source?.fail(error, at: offset(place), rule: rule < 0 ? nil : plan.rules[Int(rule)].description)
    }

    /// Runs a closure; its error ends the decode, and false is returned.
    mutating func attempt(
        at place: Bytes, _ rule: Int32 = -1, _ body: (inout PlanReader) throws -> Void
    ) -> Bool {
        do {
            try body(&self)
            return true
        } catch {
            fail(error, at: place, rule)
            return false
        }
    }
}
