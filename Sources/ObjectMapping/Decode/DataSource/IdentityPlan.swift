/// Reads the identity and the modification stamp of objects before they are created.
final class IdentityPlan {
    /// A property of the identity, or the stamp, and the rules that set it.
    struct Slot {
        let property: AnyKeyPath
        let value: KeyType
        var rules: [Rule] = []
    }

    struct Rule {
        let entry: EntryRef
        /// `nil` if it is not read ahead.
        let source: Source?
    }

    /// The source of a rule.
    enum Source {
        /// At a path of plain keys in the object; the object itself for an empty path.
        case member(JSONKeyPath)
        case context(ContextRules.Rule)
    }

    /// How one value is read.
    private struct Value {
        let type: KeyType
        let entry: EntryRef
        let box: Borrowed<AssignBox>
        let context: ContextRules.Rule?
        /// Whether it is the object itself, which is a scalar then.
        let isElement: Bool
        /// Its offset in the memory of all values.
        let offset: Int
    }

    /// How to continue with an object.
    enum Step {
        /// Read its members into the object in memory, which is new.
        case read
        /// Read its members into the object in memory, which already existed.
        case update
        /// Skip its members; there is an object in memory.
        case pass
        /// Skip its members; there is no object.
        case omit
        case broken
    }

    private let values: [Value]
    /// The first values are the identity; the one after them is the stamp.
    private let identityCount: Int
    /// The keys of the members.
    private let node: NodeRef
    /// The number of values that are members, from each index on.
    private let memberCounts: [Int]
    /// Whether values are around the object.
    private let hasContext: Bool
    private let size: Int
    private let alignment: Int
    private let isNewer: ((Memory, AnyObject) -> Bool)?

    /// Creates a plan for properties with one rule each, whose source is known before the object is read.
    ///
    /// - Parameter isNewer: Compares a stamp with that of an object.
    init?(_ slots: [Slot], identityCount: Int, _ isNewer: ((Memory, AnyObject) -> Bool)?, _ builder: PlanBuilder) {
        let draft = builder.newDraft(model: nil)
        var values: [Value] = []
        var paths: [[String]] = []
        var (size, alignment) = (0, 1)
        for slot in slots {
            guard slot.rules.count == 1, let source = slot.rules[0].source,
                let box = slot.rules[0].entry.pointee.box?.object as? AssignBox
            else { return nil }
            var context: ContextRules.Rule?
            var isElement = false
            switch source {
            case .context(let rule): context = rule
            case .member(let path):
                // A value and a part of it would have the same key.
                guard let keys = path.plainKeys,
                    !paths.contains(where: { zip($0, keys).allSatisfy { $0 == $1 } })
                else { return nil }
                paths.append(keys)
                isElement = keys.isEmpty
                if isElement { break }
                builder.place(Entry(operation: .watched, offset: values.count), at: path, in: draft)
            }
            let offset = (size + slot.value.alignment - 1) / slot.value.alignment * slot.value.alignment
            values.append(
                Value(
                    type: slot.value, entry: slot.rules[0].entry, box: Borrowed(box), context: context,
                    isElement: isElement, offset: offset))
            size = offset + slot.value.size
            alignment = max(alignment, slot.value.alignment)
        }
        self.values = values
        (self.size, self.alignment) = (size, alignment)
        self.identityCount = identityCount
        self.isNewer = isNewer
        node = draft.node
        hasContext = values.contains { $0.context != nil }
        memberCounts = values.indices.map { values[$0...].count { $0.context == nil && !$0.isElement } }
    }

    // MARK: Objects

    // Finds or creates an object in empty memory. Not inlined: nested objects would need more stack.
    //
    // - Parameter model: Creates objects.
    @inline(never) func prepare(
        _ reader: inout PlanReader, _ place: Bytes, _ entry: EntryRef, _ memory: Memory, _ model: ModelBox,
        _ registration: Registration, _ decode: SourceDecode
    ) -> Step {
        let before = reader.findings.count
        return readingAhead(&reader, place, from: 0, decode) { reader, space, made in
            let key = key(space, made, decode)
            if key == nil, decode.source.requiresIdentity {
                if reader.findings.hasErrors(since: before) { return .omit }
                let missing = (0..<identityCount).filter { !isMade(made, $0) }.map { registration.kind.properties[$0] }
                guard decode.source.generates(missing, of: registration.kind) else {
                    reader.note(
                        .missing, at: place, entry.pointee.rule,
                        "a value for \(registration.kind.propertyNames), the identity of the object", "no value")
                    return .omit
                }
            }
            if let key, let known = try decode.source.find(key, of: registration.kind) {
                try registration.check(known)
                let step = try update(known, space, &made, registration, decode)
                memory.initialize(as: AnyObject.self, to: known)
                return step
            }
            model.make(memory)
            do {
                write(space, &made, from: 0, to: memory, isUpdated: false)
                try decode.add(
                    memory[as: AnyObject.self], key, of: registration.kind,
                    order: decode.source.nextOrder())
            } catch {
                memory.deinitialize(as: AnyObject.self)
                throw error
            }
            return .read
        }
    }

    /// Prepares an existing object for a payload that updates it.
    @inline(never) func prepareUpdate(
        _ reader: inout PlanReader, _ place: Bytes, _ entry: EntryRef, _ object: AnyObject,
        _ registration: Registration, _ decode: SourceDecode
    ) -> Step {
        readingAhead(&reader, place, from: identityCount, decode) { _, space, made in
            try update(object, space, &made, registration, decode)
        }
    }

    /// Reads the identity of an object that is not created; returns `nil` if it is incomplete.
    func key(_ reader: inout PlanReader, at place: Bytes, _ decode: SourceDecode) -> ObjectKey? {
        let visit = decode.begin(slots: values.count)
        defer { decode.end(visit) }
        let fence = reader.fence
        let key: ObjectKey? = withValueMemory(size, alignment) { space in
            var made: UInt64 = 0
            defer { destroy(space, made) }
            return read(&reader, place, space, &made, from: 0, decode) ? self.key(space, made, decode) : nil
        }
        reader.rewind(to: fence)
        return key
    }

    /// Skips an object that is not read; a duplicate of a key that was read ahead can mean that it must be read.
    @inline(never) func skip(_ reader: inout PlanReader, _ place: Bytes) -> Bytes? {
        reader.skip(place, findingDuplicatesOf: node) { values[$0].entry.pointee.rule }
    }

    private func update(
        _ object: AnyObject, _ space: Memory, _ made: inout UInt64, _ registration: Registration,
        _ decode: SourceDecode
    ) throws -> Step {
        let stamp = 1 &<< UInt64(identityCount)
        var isNewer = true
        if made & stamp != 0, let compare = self.isNewer {
            isNewer = compare(space + values[identityCount].offset, object)
        }
        let isRead = try decode.source.willUpdate(
            object, of: registration.kind, isNewer: isNewer, keepState: { registration.state(of: object) })
        guard isRead else { return .pass }
        var object = object
        withMutableMemory(of: &object) { write(space, &made, from: identityCount, to: $0, isUpdated: true) }
        return .update
    }

    /// Reads values ahead and calls a closure with them; an error of the closure ends the decode.
    private func readingAhead(
        _ reader: inout PlanReader, _ place: Bytes, from first: Int, _ decode: SourceDecode,
        _ body: (inout PlanReader, Memory, inout UInt64) throws -> Step
    ) -> Step {
        withValueMemory(size, alignment) { space in
            var made: UInt64 = 0
            defer { destroy(space, made) }
            guard read(&reader, place, space, &made, from: first, decode) else { return .broken }
            var step = Step.broken
            _ = reader.attempt(at: place) { reader throws in step = try body(&reader, space, &made) }
            return step
        }
    }

    // MARK: Values

    private func key(_ space: Memory, _ made: UInt64, _ decode: SourceDecode) -> ObjectKey? {
        if identityCount == 1 {
            guard made & 1 != 0, let key = values[0].type.key(space) else { return nil }
            decode.keep(key, of: 0)
            return key
        }
        var parts: [ObjectKey] = []
        for index in 0..<identityCount where isMade(made, index) {
            guard let key = values[index].type.key(space + values[index].offset) else { continue }
            decode.keep(key, of: index)
            parts.append(key)
        }
        return parts.count == identityCount ? .compound(parts) : nil
    }

    private func write(
        _ space: Memory, _ made: inout UInt64, from first: Int, to model: Memory, isUpdated: Bool
    ) {
        for index in first..<values.count where isMade(made, index) {
            made &= ~(1 &<< UInt64(index))
            values[index].box.with { $0.write(space + values[index].offset, to: model, isUpdated) }
        }
    }

    /// Reads the values from a slot on; returns false for invalid JSON.
    private func read(
        _ reader: inout PlanReader, _ place: Bytes, _ space: Memory, _ made: inout UInt64, from first: Int,
        _ decode: SourceDecode
    ) -> Bool {
        guard first < values.count else { return true }
        let count = memberCounts[first]
        if count > 0, place.pointee == .openBrace,
            !reader.lookAhead(place, node, count, from: first, decode)
        {
            return false
        }
        for index in first..<values.count {
            if values[index].isElement {
                // The rule reads a copy of an object, at another place.
                _ = decode.note(SourceDecode.Position(place: place, fence: reader.fence, isAround: true), of: index)
            }
            guard values[index].context == nil, let position = decode.position(of: index) else { continue }
            let isRead = reader.reading(position.place, position.fence) { reader, place in
                make(&reader, place, index, space, &made)
            }
            if isRead == nil { return false }
        }
        if hasContext { readContext(&reader, place, space, &made, from: first, decode) }
        return true
    }

    private func make(
        _ reader: inout PlanReader, _ place: Bytes, _ index: Int, _ space: Memory, _ made: inout UInt64
    ) -> Bytes? {
        if place.isNull { return place + 4 }
        let result = values[index].box.with { box in
            box.makeValue(&reader, place, values[index].entry, space + values[index].offset)
        }
        if result.isMade { made |= 1 &<< UInt64(index) }
        return result.end
    }

    /// Reads the values around the object, which is open during the call.
    private func readContext(
        _ reader: inout PlanReader, _ place: Bytes, _ space: Memory, _ made: inout UInt64, from first: Int,
        _ decode: SourceDecode
    ) {
        guard let context = reader.context else { return }
        let pending = context.pending
        reader.openContext(place)
        for index in first..<values.count {
            guard let rule = values[index].context else { continue }
            rule.readAhead(&reader, place) { reader, value in
                _ = decode.note(SourceDecode.Position(place: value, fence: reader.fence, isAround: true), of: index)
                return make(&reader, value, index, space, &made)
            }
        }
        context.close()
        context.pending = pending
    }

    private func destroy(_ space: Memory, _ made: UInt64) {
        for index in values.indices where isMade(made, index) {
            values[index].type.destroy(space + values[index].offset)
        }
    }

    private func isMade(_ made: UInt64, _ index: Int) -> Bool { made & 1 &<< UInt64(index) != 0 }
}
