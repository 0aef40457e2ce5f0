/// Models of a data source: existing objects are found and updated, others are created and added.
final class SourcedBox<Model>: TypedObjectBox<Model> {
    private let objects: ObjectBox
    /// Creates objects that are created empty and then filled.
    private let model: Borrowed<ModelBox>?
    private let registration: TypedRegistration<Model>
    private let slotCount: Int
    /// Whether new objects are added before they are filled, because they have no identity.
    private let addsEmptyObjects: Bool

    override var inner: ValueBox? { objects }

    init(_ objects: ObjectBox, _ registration: TypedRegistration<Model>) {
        self.objects = objects
        self.registration = registration
        model = (objects as? FilledObjectBox).map { Borrowed($0.model) }
        slotCount = registration.slots.count
        addsEmptyObjects = registration.isStored && registration.traits.identity.isEmpty
        super.init(objects.node)
    }

    override func make(_ reader: inout PlanReader, _ place: Bytes, _ entry: EntryRef, _ memory: Memory) -> MakeResult {
        guard let decode = reader.companions?.source else { return objects.make(&reader, place, entry, memory) }
        if let identity = registration.identity, let model {
            return find(&reader, place, entry, memory, identity, model, decode)
        }
        if addsEmptyObjects, let model { return model.with { add(&reader, place, entry, memory, $0, decode) } }
        return makeFirst(&reader, place, entry, memory, decode)
    }

    /// Makes a model, then looks up the one that has its identity.
    private func makeFirst(
        _ reader: inout PlanReader, _ place: Bytes, _ entry: EntryRef, _ memory: Memory, _ decode: SourceDecode
    ) -> MakeResult {
        let visit = decode.begin(
            slots: slotCount, order: decode.source.nextOrder(), isUndoable: registration.traits.stamp != nil)
        let start = SourceDecode.Start(reader)
        let result = objects.make(&reader, place, entry, memory)
        let marks = decode.end(visit)
        guard result.isMade else { return result }
        let isSettled = reader.attempt(at: place) { reader throws in
            try settle(&reader, place, entry, memory, visit, start, marks, decode)
        }
        if isSettled { return result }
        memory.deinitialize(as: Model.self)
        return .broken
    }

    override func collect(_ identities: IdentityCollection, _ reader: inout PlanReader, _ place: Bytes) -> Bytes? {
        if let decode = reader.companions?.source, let identity = registration.identity, accepts(place),
            let key = identity.with({ $0.key(&reader, at: place, decode) })
        {
            identities.add(key, of: registration.kind)
        }
        return identities.inObject(registration) { objects.collect(identities, &reader, place) }
    }

    /// Reads the identity, then the object that has it.
    private func find(
        _ reader: inout PlanReader, _ place: Bytes, _ entry: EntryRef, _ memory: Memory,
        _ identity: Borrowed<IdentityPlan>, _ model: Borrowed<ModelBox>, _ decode: SourceDecode
    ) -> MakeResult {
        guard accepts(place) else { return .skipped(reader.mismatch(place, entry.pointee.rule, "an object")) }
        let visit = decode.begin(slots: slotCount)
        let step = prepare(&reader, place, entry, memory, identity, model, decode)
        let end: Bytes?
        switch step {
        case .read: end = reader.object(place, node, memory)
        case .update: end = reader.updating(memory) { $0.object(place, node, memory) }
        default:
            decode.end(visit)
            return pass(&reader, place, memory, step, identity)
        }
        return finish(end, visit, &reader, place, memory, decode)
    }

    /// Ends a visit: connects the object, or releases it if it was not read.
    @inline(__always) private func finish(
        _ end: Bytes?, _ visit: SourceDecode.Visit, _ reader: inout PlanReader, _ place: Bytes, _ memory: Memory,
        _ decode: SourceDecode
    ) -> MakeResult {
        let marks = decode.end(visit)
        guard let end else {
            memory.deinitialize(as: AnyObject.self)
            return .broken
        }
        connect(memory, marks, decode, place, &reader)
        return .made(end)
    }

    @inline(__always) private func prepare(
        _ reader: inout PlanReader, _ place: Bytes, _ entry: EntryRef, _ memory: Memory,
        _ identity: Borrowed<IdentityPlan>, _ model: Borrowed<ModelBox>, _ decode: SourceDecode
    ) -> IdentityPlan.Step {
        identity.with { identity in
            model.with { identity.prepare(&reader, place, entry, memory, $0, registration, decode) }
        }
    }

    /// Adds a new object, then reads its members: objects of its relationships can refer to it.
    private func add(
        _ reader: inout PlanReader, _ place: Bytes, _ entry: EntryRef, _ memory: Memory, _ model: ModelBox,
        _ decode: SourceDecode
    ) -> MakeResult {
        guard accepts(place) else { return .skipped(reader.mismatch(place, entry.pointee.rule, "an object")) }
        let visit = decode.begin(slots: slotCount)
        model.make(memory)
        let end = isAdded(&reader, place, memory, decode) ? reader.object(place, node, memory) : nil
        return finish(end, visit, &reader, place, memory, decode)
    }

    @inline(never) private func isAdded(
        _ reader: inout PlanReader, _ place: Bytes, _ memory: Memory, _ decode: SourceDecode
    ) -> Bool {
        reader.attempt(at: place) { _ throws in
            let order = decode.source.nextOrder()
            try decode.add(memory[as: AnyObject.self], nil, of: registration.kind, order: order)
        }
    }

    @inline(never) private func pass(
        _ reader: inout PlanReader, _ place: Bytes, _ memory: Memory, _ step: IdentityPlan.Step,
        _ identity: Borrowed<IdentityPlan>
    ) -> MakeResult {
        let end = step == .broken ? nil : identity.with { $0.skip(&reader, place) }
        guard case .pass = step else { return .skipped(end) }
        if let end { return .made(end) }
        memory.deinitialize(as: AnyObject.self)
        return .broken
    }

    override func update(_ reader: inout PlanReader, _ place: Bytes, _ entry: EntryRef, _ memory: Memory) -> Bytes? {
        guard let decode = reader.companions?.source else { return objects.update(&reader, place, entry, memory) }
        let visit = decode.begin(slots: slotCount, order: decode.source.nextOrder())
        let old = registration.isClass ? registration.key(of: memory[as: AnyObject.self]) : nil
        switch prepareUpdate(&reader, place, entry, memory, decode) {
        case .read, .update: break
        case let step:
            decode.end(visit)
            if step == .broken { return nil }
            guard let identity = registration.identity else { return reader.skip(place) }
            return identity.with { $0.skip(&reader, place) }
        }
        let end = objects.update(&reader, place, entry, memory)
        let marks = decode.end(visit)
        guard end != nil else { return nil }
        let isSettled = reader.attempt(at: place) { reader throws in
            try settleUpdate(&reader, place, entry, memory, old, visit, marks, decode)
        }
        return isSettled ? end : nil
    }

    // Not inlined below: nested objects would need more stack.

    @inline(never) private func connect(
        _ memory: Memory, _ marks: RuleMarks, _ decode: SourceDecode, _ place: Bytes, _ reader: inout PlanReader
    ) {
        connect(memory, marks, decode, reader.offset(place))
    }

    @inline(never) private func prepareUpdate(
        _ reader: inout PlanReader, _ place: Bytes, _ entry: EntryRef, _ memory: Memory, _ decode: SourceDecode
    ) -> IdentityPlan.Step {
        if registration.isClass, let identity = registration.identity {
            return identity.with {
                $0.prepareUpdate(&reader, place, entry, memory[as: AnyObject.self], registration, decode)
            }
        }
        var isNewer = true
        if registration.traits.stamp != nil {
            guard compare(&reader, place, entry, memory, decode, &isNewer) != nil else { return .broken }
            if !isNewer { return .pass }
        }
        guard registration.isClass else { return .read }
        var step = IdentityPlan.Step.broken
        _ = reader.attempt(at: place) { _ throws in
            step = try willUpdate(memory[as: AnyObject.self], isNewer: isNewer, decode) ? .read : .pass
        }
        return step
    }

    private func willUpdate(_ object: AnyObject, isNewer: Bool, _ decode: SourceDecode) throws -> Bool {
        try decode.source.willUpdate(
            object, of: registration.kind, isNewer: isNewer, keepState: { registration.state(of: object) })
    }

    /// Adds a new model, or reads its JSON into the existing one with its identity.
    @inline(never) private func settle(
        _ reader: inout PlanReader, _ place: Bytes, _ entry: EntryRef, _ memory: Memory,
        _ visit: SourceDecode.Visit, _ start: SourceDecode.Start, _ marks: RuleMarks, _ decode: SourceDecode
    ) throws {
        let made = memory[as: Model.self]
        let key = registration.key(of: made, marks)
        let offset = reader.offset(place)
        guard let key, let object = try decode.source.find(key, of: registration.kind), let known = object as? Model
        else {
            try decode.add(made as AnyObject, key, of: registration.kind, order: visit.order)
            return connect(memory, marks, decode, offset, isKnown: key != nil)
        }
        if registration.isClass, known as AnyObject === made as AnyObject { return }
        guard registration.isNewer(made, marks, than: known) else {
            memory[as: Model.self] = known
            // An object that contains itself would be lost if it were undone.
            if decode.wasAdded(object, in: visit) { return decode.forget(visit) }
            decode.rollback(to: visit.start)
            // Marks the object as contained in the payload.
            _ = try decode.source.find(key, of: registration.kind)
            return
        }
        guard isReadable(known, like: made) else {
            try decode.add(made as AnyObject, key, of: registration.kind, order: visit.order)
            return connect(memory, marks, decode, offset)
        }
        memory[as: Model.self] = known
        decode.forget(visit)
        // In an object that is read a second time, everything was already read.
        guard !decode.isRereading, try willUpdate(known as AnyObject, isNewer: true, decode) else { return }
        // Its issues were found during the first read.
        let findings = reader.findings
        decode.isRereading = true
        let again = decode.begin(slots: slotCount)
        start.rewind(&reader)
        _ = reader.updating(memory) { objects.update(&$0, place, entry, memory) }
        decode.isRereading = false
        let marks = decode.end(again)
        if decode.failure == nil { reader.restore(findings) }
        connect(memory, marks, decode, offset)
    }

    /// Reads a separate model to compare its stamp.
    @inline(never) private func compare(
        _ reader: inout PlanReader, _ place: Bytes, _ entry: EntryRef, _ memory: Memory, _ decode: SourceDecode,
        _ isNewer: inout Bool
    ) -> Bytes? {
        let before = reader.findings
        isNewer = false
        return withValueMemory(size, alignment) { new in
            let visit = decode.begin(slots: slotCount, isUndoable: true)
            let start = SourceDecode.Start(reader)
            let result = objects.make(&reader, place, entry, new)
            let marks = decode.end(visit)
            start.rewind(&reader)
            decode.rollback(to: visit.start)
            guard result.isMade else { return result.end }
            let made = new.move(as: Model.self)
            // A payload with issues is not read into the model.
            if reader.findings.hasErrors(since: before.count) { return result.end }
            isNewer = registration.isNewer(made, marks, than: memory[as: Model.self])
            if isNewer { reader.restore(before) }
            return result.end
        }
    }

    /// Adds a model after an update, with its current identity.
    @inline(never) private func settleUpdate(
        _ reader: inout PlanReader, _ place: Bytes, _ entry: EntryRef, _ memory: Memory,
        _ old: ObjectKey?, _ visit: SourceDecode.Visit, _ marks: RuleMarks, _ decode: SourceDecode
    ) throws {
        let isComplete = registration.hasIdentity(marks)
        if registration.isClass {
            let object = memory[as: AnyObject.self]
            // Properties that null reset do not identify an object.
            let isReset = marks.reset & registration.identityMarks != 0
            let change = IdentityChange(
                old: old, new: isReset ? nil : registration.key(of: object), isComplete: isComplete, order: visit.order)
            try decode.source.didUpdate(object, of: registration.kind, change)
        } else if let key = registration.key(of: memory[as: Model.self], marks) {
            try decode.add(
                memory[as: Model.self] as AnyObject, key, of: registration.kind, order: visit.order)
        }
        connect(memory, marks, decode, reader.offset(place))
    }

    private func connect(
        _ memory: Memory, _ marks: RuleMarks, _ decode: SourceDecode, _ offset: Int, isKnown: Bool = true
    ) {
        if registration.isClass, !registration.groups.isEmpty {
            decode.connect(memory[as: AnyObject.self], registration, marks, isKnown: isKnown, offset: offset)
        }
    }

    /// Whether the JSON of one object can be read into another: it has the rules of the other's class.
    private func isReadable(_ known: Model, like made: Model) -> Bool {
        guard registration.isClass, registration.isFilled else { return false }
        let class1 = ObjectIdentifier(type(of: made as AnyObject))
        return class1 == ObjectIdentifier(type(of: known as AnyObject))
            || class1 == ObjectIdentifier(Model.self as Any.Type)
    }
}
