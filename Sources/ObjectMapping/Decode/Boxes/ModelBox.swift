/// Creates and destroys models of one type, behind a type that plain data can point to.
class ModelBox: @unchecked Sendable {  // immutable: has constants only
    let size: Int
    let alignment: Int

    init(size: Int, alignment: Int) {
        self.size = size
        self.alignment = alignment
    }

    /// Creates a model in empty memory.
    func make(_ memory: Memory) {}

    /// Replaces a model with a new one.
    func replace(_ memory: Memory) {}

    /// Assigns a copy of the first model to the second.
    func copy(_ source: Memory, _ target: Memory) {}

    /// Destroys the model in memory.
    func destroy(_ memory: Memory) {}

    /// Calls a closure with a new model, which shares no objects with other models.
    final func withNewModel(_ body: (Memory) -> Void) {
        withValueMemory(size, alignment) { memory in
            make(memory)
            body(memory)
            destroy(memory)
        }
    }
}

final class TypedModelBox<Model>: ModelBox, @unchecked Sendable {  // immutable: has constants only
    private let create: @Sendable () -> Model

    init(_ create: @escaping @Sendable () -> Model) {
        self.create = create
        super.init(size: max(1, MemoryLayout<Model>.size), alignment: MemoryLayout<Model>.alignment)
    }

    override func make(_ memory: Memory) { memory.initialize(as: Model.self, to: create()) }

    override func replace(_ memory: Memory) { memory[as: Model.self] = create() }

    override func copy(_ source: Memory, _ target: Memory) { target[as: Model.self] = source[as: Model.self] }

    override func destroy(_ memory: Memory) { memory.deinitialize(as: Model.self) }
}

/// One new model of each type, from which a decode copies the initial values of properties that it resets.
struct FreshModels: ~Copyable {
    private var models: [(box: ModelBox, memory: Memory)] = []

    deinit {
        for (box, memory) in models {
            box.destroy(memory)
            memory.deallocate()
        }
    }

    /// The model of a type.
    mutating func model(_ box: ModelBox) -> Memory {
        if let known = models.first(where: { $0.box === box }) { return known.memory }
        let memory = Memory.allocate(byteCount: box.size, alignment: max(16, box.alignment))
        box.make(memory)
        models.append((box, memory))
        return memory
    }
}

/// A value with a replacement for null, or for invalid values.
final class FallbackBox<Value>: TypedBox<Value> {
    private let value: ValueBox
    /// Creates the default value in empty memory.
    private let makeDefault: ((Memory) -> Void)?
    private let whenInvalid: InvalidPolicy

    override var inner: ValueBox? { value }

    init(_ value: ValueBox, _ options: RuleOptions) {
        self.value = value
        makeDefault = options.makeDefault
        whenInvalid = options.whenInvalid
        super.init()
    }

    override func make(_ reader: inout PlanReader, _ place: Bytes, _ entry: EntryRef, _ memory: Memory) -> MakeResult {
        if place.isNull, let makeDefault {
            makeDefault(memory)
            return .made(place + 4)
        }
        let before = reader.findings
        let result = value.make(&reader, place, entry, memory)
        guard let end = result.end, whenInvalid != .fail, reader.findings.hasErrors(since: before.count) else {
            return result
        }
        reader.restore(before)
        if result.isMade { memory.deinitialize(as: Value.self) }
        guard whenInvalid == .useDefault, let makeDefault else {
            reader.companions?.trace?.note("invalid value: the property is unchanged")
            return .skipped(end)
        }
        makeDefault(memory)
        reader.companions?.trace?.note("the value is invalid: replaced with the default")
        return .made(end)
    }
}
