/// What to do with a member's value: a plan entry's verb.
enum Operation: UInt8 {
    // Stored at an offset of the model, in memory that holds a value already.
    case int, optionalInt, double, optionalDouble, bool, optionalBool, string, optionalString, date, optionalDate
    /// Any other type: the box knows how.
    case value
    /// Handed to a closure that sets a property.
    case assign
    /// An object on the way of a key path.
    case level
    /// Several rules read the same value, those with operators from its tree.
    case several
    /// A column of a row.
    case slot
    /// A row of its own, or several.
    case rows
    /// Passed over, as a key that nobody maps; see `Entry.isWatched`.
    case watched
    /// Written under a key that is the value of another rule: an object.
    case keyed
    /// Written as members of the object itself.
    case whole

    /// Whether no box has part in it.
    @inline(__always) var isScalar: Bool { rawValue < Operation.value.rawValue }

    /// Makes the memory hold a value, so that the operation may store over it.
    @inline(__always) func prepare(_ memory: Memory) {
        switch self {
        case .int: memory.initialize(as: Int.self, to: 0)
        case .optionalInt: memory.initialize(as: Int?.self, to: nil)
        case .double: memory.initialize(as: Double.self, to: 0)
        case .optionalDouble: memory.initialize(as: Double?.self, to: nil)
        case .bool: memory.initialize(as: Bool.self, to: false)
        case .optionalBool: memory.initialize(as: Bool?.self, to: nil)
        case .string: memory.initialize(as: String.self, to: "")
        case .optionalString: memory.initialize(as: String?.self, to: nil)
        case .date: memory.initialize(as: Date.self, to: Date(timeIntervalSinceReferenceDate: 0))
        case .optionalDate: memory.initialize(as: Date?.self, to: nil)
        default: break
        }
    }

    /// Empties memory that was prepared; only texts hold on to anything.
    func destroy(_ memory: Memory) {
        switch self {
        case .string: memory.deinitialize(as: String.self)
        case .optionalString: memory.deinitialize(as: String?.self)
        default: break
        }
    }

    /// Copies the value of a fresh model over that of another.
    func copy(_ source: Memory, to target: Memory) {
        func copy<Value>(_: Value.Type) { target[as: Value.self] = source[as: Value.self] }
        switch self {
        case .int: copy(Int.self)
        case .optionalInt: copy(Int?.self)
        case .double: copy(Double.self)
        case .optionalDouble: copy(Double?.self)
        case .bool: copy(Bool.self)
        case .optionalBool: copy(Bool?.self)
        case .string: copy(String.self)
        case .optionalString: copy(String?.self)
        case .date: copy(Date.self)
        case .optionalDate: copy(Date?.self)
        default: break
        }
    }

    /// Takes an optional away.
    func clear(_ memory: Memory) {
        switch self {
        case .optionalInt: memory[as: Int?.self] = nil
        case .optionalDouble: memory[as: Double?.self] = nil
        case .optionalBool: memory[as: Bool?.self] = nil
        case .optionalString: memory[as: String?.self] = nil
        case .optionalDate: memory[as: Date?.self] = nil
        default: break
        }
    }
}

/// What a list does with values of one type; the closures are made where the type is known, and run without generics.
@usableFromInline struct ElementType: @unchecked Sendable {  // guarded by having constants only
    @usableFromInline let stride: Int
    @usableFromInline let alignment: Int
    /// The array's type, for explanations.
    @usableFromInline let list: () -> Any.Type
    /// Moves values out of the first memory into a new array, which the second memory holds afterwards.
    @usableFromInline let moveToArray: (_ source: Memory, _ count: Int, Memory) -> Void
    /// The same, where the second memory holds an array already.
    @usableFromInline let replaceArray: (_ source: Memory, _ count: Int, Memory) -> Void
    /// Copies the array in the first memory over that in the second.
    @usableFromInline let copyArray: (_ source: Memory, Memory) -> Void
    /// Moves values from the first memory to the second.
    @usableFromInline let move: (_ source: Memory, _ count: Int, Memory) -> Void
    @usableFromInline let destroy: (Memory, _ count: Int) -> Void

    @inlinable @inline(__always) init<Element>(_: Element.Type) {
        stride = max(1, MemoryLayout<Element>.stride)
        alignment = MemoryLayout<Element>.alignment
        list = { [Element].self }
        moveToArray = { $2.initialize(as: [Element].self, to: [Element](moving: $0, $1)) }
        replaceArray = { $2[as: [Element].self] = [Element](moving: $0, $1) }
        copyArray = { $1[as: [Element].self] = $0[as: [Element].self] }
        move = { $2.moveInitialize(as: Element.self, from: $0, count: $1) }
        destroy = { $0.deinitialize(as: Element.self, count: $1) }
    }
}

extension ElementType {
    /// How many values a text will have made at its end, if the rest of it is like its beginning.
    ///
    /// Memory for them takes at most four times as many bytes as the text, and is not touched before there are values.
    func likelyCount(after count: Int, in read: Int, of all: Int) -> Int {
        let likely = Double(count) * Double(all) / Double(max(1, read)) * 1.05
        return count + Int(min(likely, Double(all) * 4 / Double(stride)))
    }
}
