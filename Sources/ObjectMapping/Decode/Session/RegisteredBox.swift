/// Models that a session comes to know once they are read; objects that it knows already are read into.
final class RegisteredBox<Model>: TypedObjectBox<Model> {
    private let objects: ObjectBox
    private let registration: TypedRegistration<Model>

    override var sameValueBoxes: [ObjectBox] { [objects] }

    init(_ objects: ObjectBox, _ registration: TypedRegistration<Model>) {
        self.objects = objects
        self.registration = registration
        super.init(objects.node)
    }

    override func make(_ reader: inout PlanReader, _ place: Bytes, _ entry: EntryRef, _ memory: Memory) -> MakeResult {
        guard let session = reader.session else { return objects.make(&reader, place, entry, memory) }
        let visit = session.begin(reader)
        let result = objects.make(&reader, place, entry, memory)
        let marks = session.end(visit)
        if result.isMade { settle(&reader, place, entry, memory, visit, marks, session) }
        return result
    }

    override func update(_ reader: inout PlanReader, _ place: Bytes, _ entry: EntryRef, _ memory: Memory) -> Bytes? {
        guard let session = reader.session else { return objects.update(&reader, place, entry, memory) }
        if registration.hasStamp {
            var isNewer = false
            let end = compare(&reader, place, entry, memory, session, &isNewer)
            guard isNewer else { return end }
        }
        let before = registration.identity(ofObject: memory)
        if before != nil { willUpdate(memory, before, session) }
        let visit = session.begin(reader)
        let end = objects.update(&reader, place, entry, memory)
        let marks = session.end(visit)
        if end != nil { settleUpdate(&reader, place, entry, memory, before, visit, marks, session) }
        return end
    }

    // What is not inlined below has no part in the stack of the objects within the object.

    /// Registers a model that was just made, or reads its JSON into the one that has its identity.
    @inline(never) private func settle(
        _ reader: inout PlanReader, _ place: Bytes, _ entry: EntryRef, _ memory: Memory,
        _ visit: SessionDecode.Visit, _ marks: RuleMarks, _ session: SessionDecode
    ) {
        let made = memory[as: Model.self]
        guard let key = registration.key(of: made, marks) else {
            return connect(made, marks, session, isKnown: false)
        }
        guard let known = session.model(for: key, registration) as? Model else {
            session.register(made, for: key, registration, serial: visit.serial)
            return connect(made, marks, session)
        }
        if isSame(known, made) { return }
        guard registration.isNewer(made, marks, than: known) else {
            memory[as: Model.self] = known
            return session.forget(visit)
        }
        guard isReadable(known, like: made) else {
            session.register(made, for: key, registration, serial: visit.serial)
            return connect(made, marks, session)
        }
        memory[as: Model.self] = known
        session.forget(visit)
        // Within an object that is read a second time everything was read once.
        guard !session.isRereading else { return }
        keepState(of: known, session)
        let again = reread(&reader, visit, session) { reader in
            _ = objects.update(&reader, place, entry, memory)
        }
        connect(known, again, session)
    }

    /// Looks whether a payload is newer than a model, by a model of its own.
    @inline(never) private func compare(
        _ reader: inout PlanReader, _ place: Bytes, _ entry: EntryRef, _ memory: Memory,
        _ session: SessionDecode, _ isNewer: inout Bool
    ) -> Bytes? {
        let before = reader.findings
        return withValueMemory(size, alignment) { new in
            let visit = session.begin(reader)
            let result = objects.make(&reader, place, entry, new)
            let marks = session.end(visit)
            guard result.isMade else { return result.end }
            let made = new.move(as: Model.self)
            session.forget(visit)
            // What has issues is not read into the model at all.
            if reader.findings.hasErrors(since: before.count) { return result.end }
            isNewer = registration.isNewer(made, marks, than: memory[as: Model.self])
            guard isNewer else { return result.end }
            reader.restore(before)
            visit.rewind(&reader)
            return result.end
        }
    }

    /// Keeps what an object is that the session knows: it gets its values back, with its identity, if the update fails.
    @inline(never) private func willUpdate(_ memory: Memory, _ before: AnyHashable?, _ session: SessionDecode) {
        let model = memory[as: Model.self]
        guard let before, !session.spaces(knowing: model as AnyObject, by: before, registration).isEmpty else { return }
        keepState(of: model, session)
    }

    private func keepState(of object: Model, _ session: SessionDecode) {
        var object = object
        let restore = withMutableMemory(of: &object) { registration.snapshot($0) }
        session.willChange { [object] in
            var object = object
            withMutableMemory(of: &object) { restore($0) }
        }
    }

    /// Registers a model that was read into, by the identity that it has now.
    @inline(never) private func settleUpdate(
        _ reader: inout PlanReader, _ place: Bytes, _ entry: EntryRef, _ memory: Memory,
        _ before: AnyHashable?, _ visit: SessionDecode.Visit, _ marks: RuleMarks, _ session: SessionDecode
    ) {
        let model = memory[as: Model.self]
        var key = registration.key(of: model, marks)
        var serial = visit.serial
        let now = registration.identity(ofObject: memory)
        if let before, before != now {
            let object = model as AnyObject
            let spaces = session.spaces(knowing: object, by: before, registration)
            // Of an identity of several properties the payload may give some; what null reset is none.
            if key == nil, !spaces.isEmpty, marks.reset & registration.identityMarks == 0 { key = now }
            // It would be known by neither identity.
            if let key, session.isTaken(key, besides: object, in: spaces, registration) {
                return reader.note(
                    .invalidValue, at: place, entry.pointee.rule, "an identity of its own",
                    "that of another \(Model.self) of the session")
            }
            for space in spaces { serial = session.move(before, to: key, in: space, registration) ?? serial }
        }
        if let key, !registration.isClass || session.model(for: key, registration) == nil {
            session.register(model, for: key, registration, serial: serial)
        }
        connect(model, marks, session)
    }

    /// Reads an object once more; what is wrong with it was found the first time.
    private func reread(
        _ reader: inout PlanReader, _ visit: SessionDecode.Visit, _ session: SessionDecode,
        _ read: (inout PlanReader) -> Void
    ) -> RuleMarks {
        let findings = reader.findings
        visit.rewind(&reader)
        session.isRereading = true
        let again = session.begin(reader)
        read(&reader)
        session.isRereading = false
        reader.restore(findings)
        return session.end(again)
    }

    private func connect(_ model: Model, _ marks: RuleMarks, _ session: SessionDecode, isKnown: Bool = true) {
        if registration.isClass, !registration.groups.isEmpty {
            session.connect(model as AnyObject, registration, marks, isKnown: isKnown)
        }
    }

    private func isSame(_ known: Model, _ made: Model) -> Bool {
        registration.isClass && known as AnyObject === made as AnyObject
    }

    /// Whether the JSON of one object can be read into another: its rules are those of the other's class.
    private func isReadable(_ known: Model, like made: Model) -> Bool {
        guard registration.isClass, registration.isFilled else { return false }
        let class1 = ObjectIdentifier(type(of: made as AnyObject))
        return class1 == ObjectIdentifier(type(of: known as AnyObject))
            || class1 == ObjectIdentifier(Model.self as Any.Type)
    }
}

/// Notes that the payload mentions a property, around the rule that sets it.
final class MarkBox: EntryBox {
    private let mark: UInt64

    init(_ entry: EntryRef, mark: UInt64) {
        self.mark = mark
        super.init(entry)
    }

    override func read(_ reader: inout PlanReader, _ place: Bytes, _ node: NodeRef?, _ base: Memory) -> Bytes? {
        if !place.isNull {
            reader.session?.give(mark)
        } else if entry.pointee.nullPolicy == .clear {
            reader.session?.clear(mark, isReset: !entry.pointee.acceptsNull)
        }
        return reader.field(place, entry, node, base)
    }

    override func clear(_ reader: inout PlanReader, _ node: NodeRef?, _ base: Memory, for cause: ClearingCause) {
        if isCleared(for: cause) { reader.session?.clear(mark, isReset: !entry.pointee.acceptsNull) }
        reader.clear(entry, node, base, for: cause)
    }
}
