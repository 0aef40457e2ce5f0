/// How models of one type are made and taken down, behind a type that plain data can point to.
class ModelBox {
    let size: Int
    let alignment: Int
    /// Whether the memory of a value holds the address of an object.
    let isObject: Bool
    let name: String

    init(size: Int, alignment: Int, isObject: Bool, name: String) {
        self.size = size
        self.alignment = alignment
        self.isObject = isObject
        self.name = name
    }

    /// Makes a model in empty memory.
    func make(_ memory: Memory) {}

    /// Empties memory that holds a model.
    func destroy(_ memory: Memory) {}

    /// Where a model's properties are, given the memory of its value.
    @inline(__always) final func base(_ memory: Memory) -> Memory {
        isObject ? memory.load(as: Memory.self) : memory
    }
}

final class TypedModelBox<Model>: ModelBox {
    private let create: @Sendable () -> Model

    init(_ create: @escaping @Sendable () -> Model) {
        self.create = create
        super.init(
            size: max(1, MemoryLayout<Model>.size), alignment: MemoryLayout<Model>.alignment,
            isObject: Model.self is AnyObject.Type, name: String(describing: Model.self))
    }

    override func make(_ memory: Memory) { memory.initializeMemory(as: Model.self, to: create()) }

    override func destroy(_ memory: Memory) { memory.assumingMemoryBound(to: Model.self).deinitialize(count: 1) }
}
