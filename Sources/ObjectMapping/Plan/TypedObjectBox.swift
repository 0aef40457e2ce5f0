/// One object that becomes a model made at once: put over another model, it takes that one's place as a whole.
class TypedObjectBox<Model>: ObjectBox {
    init(_ node: UnsafeMutablePointer<Node>) {
        super.init(node, size: max(1, MemoryLayout<Model>.size), alignment: MemoryLayout<Model>.alignment)
    }

    override func replace(
        _ reader: inout PlanReader, _ place: Bytes, _ entry: UnsafePointer<Entry>, _ memory: Memory
    ) -> Bytes? {
        withValueMemory(size, alignment) { new in
            let end = make(&reader, place, entry, new)
            if end != nil, reader.isMade { move(new, over: memory) }
            return end
        }
    }

    override func clear(_ memory: Memory, fresh: Memory) {
        memory.assumingMemoryBound(to: Model.self).pointee = fresh.assumingMemoryBound(to: Model.self).pointee
    }

    // Not inlined: it has no part in the stack of the objects within the object.
    @inline(never) private func move(_ new: Memory, over memory: Memory) {
        memory.assumingMemoryBound(to: Model.self).pointee = new.assumingMemoryBound(to: Model.self).move()
    }
}
