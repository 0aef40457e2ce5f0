/// An object whose model a closure checks, once it was read without issues.
final class ValidatedObjectBox<Model>: ObjectBox {
    private let object: ObjectBox
    private let check: (Model) throws -> Void

    override var sameValueBoxes: [ObjectBox] { [object] }

    init(_ object: ObjectBox, _ check: @escaping (Model) throws -> Void) {
        self.object = object
        self.check = check
        super.init(object.node, size: object.size, alignment: object.alignment)
    }

    override func make(
        _ reader: inout PlanReader, _ place: Bytes, _ entry: UnsafePointer<Entry>, _ memory: Memory
    ) -> Bytes? {
        let before = reader.findings.count
        let end = object.make(&reader, place, entry, memory)
        if reader.isMade { validate(&reader, before, place, entry.pointee.rule, memory) }
        return end
    }

    override func replace(
        _ reader: inout PlanReader, _ place: Bytes, _ entry: UnsafePointer<Entry>, _ memory: Memory
    ) -> Bytes? {
        let before = reader.findings.count
        let end = object.replace(&reader, place, entry, memory)
        if end != nil { validate(&reader, before, place, entry.pointee.rule, memory) }
        return end
    }

    override func update(
        _ reader: inout PlanReader, _ place: Bytes, _ entry: UnsafePointer<Entry>, _ memory: Memory
    ) -> Bytes? {
        let before = reader.findings.count
        let end = object.update(&reader, place, entry, memory)
        if end != nil { validate(&reader, before, place, entry.pointee.rule, memory) }
        return end
    }

    override func clear(_ memory: Memory, fresh: Memory) { object.clear(memory, fresh: fresh) }

    // Not inlined: it has no part in the stack of the objects within the object.
    @inline(never) private func validate(
        _ reader: inout PlanReader, _ before: Int, _ place: Bytes, _ rule: Int32, _ memory: Memory
    ) {
        guard !reader.findings.hasErrors(since: before) else { return }
        do {
            try check(memory.assumingMemoryBound(to: Model.self).pointee)
        } catch {
            reader.note(rejected: "an object", error, at: place, rule)
        }
    }
}
