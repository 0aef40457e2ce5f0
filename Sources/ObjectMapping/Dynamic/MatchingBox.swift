/// A value of which its content says by what box it is read.
final class MatchingBox<Model>: ObjectBox {
    private var steps: [MatchStep] = []
    /// By the numbers that the steps know; they may lead back to this box, so the plan keeps them.
    private var branches: [Unmanaged<ObjectBox>] = []

    init(_ node: UnsafeMutablePointer<Node>) {
        super.init(node, size: max(1, MemoryLayout<Model>.size), alignment: MemoryLayout<Model>.alignment)
    }

    /// Takes over the cases; the boxes of the targets may ask for this one.
    func resolve(_ cases: [MatchCase<Model>], _ builder: PlanBuilder) {
        branches = cases.map { Unmanaged.passUnretained($0.target(builder)) }
        steps = MatchStep.steps(of: cases, builder)
    }

    override func make(
        _ reader: inout PlanReader, _ place: Bytes, _ entry: UnsafePointer<Entry>, _ memory: Memory
    ) -> Bytes? {
        read(&reader, place, entry) { box, reader, place in box.make(&reader, place, entry, memory) }
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

    // What is not inlined has no part in the stack of the objects within the object.

    @inline(never) private func move(_ new: Memory, over memory: Memory) {
        memory.assumingMemoryBound(to: Model.self).pointee = new.assumingMemoryBound(to: Model.self).move()
    }
}
