/// How models of one type are made and taken down, behind a type that plain data can point to.
class ModelBox: @unchecked Sendable {  // guarded by having constants only
    let size: Int
    let alignment: Int

    init(size: Int, alignment: Int) {
        self.size = size
        self.alignment = alignment
    }

    /// Makes a model in empty memory.
    func make(_ memory: Memory) {}

    /// Makes a model over another.
    func replace(_ memory: Memory) {}

    /// Copies the model in the first memory over that in the second.
    func copy(_ source: Memory, _ target: Memory) {}

    /// Empties memory that holds a model.
    func destroy(_ memory: Memory) {}
}

final class TypedModelBox<Model>: ModelBox, @unchecked Sendable {  // guarded by having constants only
    private let create: @Sendable () -> Model

    init(_ create: @escaping @Sendable () -> Model) {
        self.create = create
        super.init(size: max(1, MemoryLayout<Model>.size), alignment: MemoryLayout<Model>.alignment)
    }

    override func make(_ memory: Memory) { memory.initializeMemory(as: Model.self, to: create()) }

    override func replace(_ memory: Memory) { memory.assumingMemoryBound(to: Model.self).pointee = create() }

    override func copy(_ source: Memory, _ target: Memory) {
        target.assumingMemoryBound(to: Model.self).pointee = source.assumingMemoryBound(to: Model.self).pointee
    }

    override func destroy(_ memory: Memory) { memory.assumingMemoryBound(to: Model.self).deinitialize(count: 1) }
}
