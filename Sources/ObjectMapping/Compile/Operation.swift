/// The operation on a member's value.
enum Operation: UInt8 {
    // Stored at an offset of the model, in memory that already contains a value.
    case int, optionalInt, double, optionalDouble, bool, optionalBool, string, optionalString, date, optionalDate
    /// Any other type, which a box reads.
    case value
    /// Passed to a closure that sets a property.
    case assign
    /// An object within a key path.
    case level
    /// Several rules for the same value; those with operators use its tree.
    case several
    /// A column of a row.
    case slot
    /// One or several separate rows.
    case rows
    /// Skipped, for a key without a rule; see `Entry.isWatched`.
    case watched
    /// Written as an object under a key that is the value of another rule.
    case keyed
    /// Written as members of the object itself.
    case inlined

    /// Whether it does not use a box.
    @inline(__always) var isScalar: Bool { rawValue < Operation.value.rawValue }

    // Not inlined into the loop over elements.
    /// Whether it stores an optional: each of these cases follows the case of its type.
    @inline(never) var isOptional: Bool { isScalar && !rawValue.isMultiple(of: 2) }

    /// Initializes the memory with a value, so that the operation can overwrite it.
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

    /// Destroys memory that was prepared; only strings own references.
    func destroy(_ memory: Memory) {
        switch self {
        case .string: memory.deinitialize(as: String.self)
        case .optionalString: memory.deinitialize(as: String?.self)
        default: break
        }
    }

    /// Copies the value of a new model over that of another.
    func copy(_ source: Memory, to target: Memory) {
        func copy<Value>(_: Value.Type) {
            if isOptional {
                target[as: Value?.self] = source[as: Value?.self]
            } else {
                target[as: Value.self] = source[as: Value.self]
            }
        }
        if let valueType { copy(valueType) }
    }

    /// Sets an optional to `nil`.
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

/// How an array is written.
@usableFromInline enum ArraySource {
    /// Values move from memory into an array in uninitialized memory.
    case valuesToNewArray
    /// Values move from memory into an array that replaces another.
    case values
    /// A copy of an array replaces another.
    case array
}

/// The list operations for values of one type; the closures are created where the type is known, and run without
/// generics.
@usableFromInline struct ElementType: @unchecked Sendable {  // immutable: has constants only
    @usableFromInline let stride: Int
    @usableFromInline let alignment: Int
    /// The type of the values, for explanations.
    @usableFromInline let type: Any.Type
    /// Writes an array to the second memory.
    @usableFromInline let writeArray: (ArraySource, _ source: Memory, _ count: Int, Memory) -> Void
    /// Moves values from the first memory to the second.
    @usableFromInline let move: (_ source: Memory, _ count: Int, Memory) -> Void
    @usableFromInline let destroy: (Memory, _ count: Int) -> Void

    @inlinable @inline(__always) init<Element>(_: Element.Type) {
        stride = max(1, MemoryLayout<Element>.stride)
        alignment = MemoryLayout<Element>.alignment
        type = Element.self
        writeArray = {
            switch $0 {
            case .valuesToNewArray: $3.initialize(as: [Element].self, to: [Element](moving: $1, $2))
            case .values: $3[as: [Element].self] = [Element](moving: $1, $2)
            case .array: $3[as: [Element].self] = $1[as: [Element].self]
            }
        }
        move = { $2.moveInitialize(as: Element.self, from: $0, count: $1) }
        destroy = { $0.deinitialize(as: Element.self, count: $1) }
    }
}

extension ElementType {
    /// Estimates the number of values in a text, if its remainder is like its beginning.
    ///
    /// Their memory takes up to four times as many bytes as the text, and is not touched before it is used.
    func likelyCount(after count: Int, in read: Int, of all: Int) -> Int {
        let likely = Double(count) * Double(all) / Double(max(1, read)) * 1.05
        return count + Int(min(likely, Double(all) * 4 / Double(stride)))
    }
}
