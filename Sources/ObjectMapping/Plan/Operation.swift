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

    /// Whether no box has part in it.
    @inline(__always) var isScalar: Bool { rawValue < Operation.value.rawValue }

    /// Makes the memory hold a value, so that the operation may store over it.
    @inline(__always) func prepare(_ memory: Memory) {
        switch self {
        case .int: memory.initializeMemory(as: Int.self, to: 0)
        case .optionalInt: memory.initializeMemory(as: Int?.self, to: nil)
        case .double: memory.initializeMemory(as: Double.self, to: 0)
        case .optionalDouble: memory.initializeMemory(as: Double?.self, to: nil)
        case .bool: memory.initializeMemory(as: Bool.self, to: false)
        case .optionalBool: memory.initializeMemory(as: Bool?.self, to: nil)
        case .string: memory.initializeMemory(as: String.self, to: "")
        case .optionalString: memory.initializeMemory(as: String?.self, to: nil)
        case .date: memory.initializeMemory(as: Date.self, to: Date(timeIntervalSinceReferenceDate: 0))
        case .optionalDate: memory.initializeMemory(as: Date?.self, to: nil)
        default: break
        }
    }

    /// Empties memory that was prepared; only texts hold on to anything.
    func destroy(_ memory: Memory) {
        switch self {
        case .string: memory.assumingMemoryBound(to: String.self).deinitialize(count: 1)
        case .optionalString: memory.assumingMemoryBound(to: String?.self).deinitialize(count: 1)
        default: break
        }
    }

    /// Copies the value of a fresh model over that of another.
    func copy(_ source: Memory, to target: Memory) {
        func copy<Value>(_: Value.Type) {
            target.assumingMemoryBound(to: Value.self).pointee = source.assumingMemoryBound(to: Value.self).pointee
        }
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
        case .optionalInt: memory.assumingMemoryBound(to: Int?.self).pointee = nil
        case .optionalDouble: memory.assumingMemoryBound(to: Double?.self).pointee = nil
        case .optionalBool: memory.assumingMemoryBound(to: Bool?.self).pointee = nil
        case .optionalString: memory.assumingMemoryBound(to: String?.self).pointee = nil
        case .optionalDate: memory.assumingMemoryBound(to: Date?.self).pointee = nil
        default: break
        }
    }
}
