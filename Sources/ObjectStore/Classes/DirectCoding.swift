/// Reads and converts the properties of the most frequent types, without a call of their coding.
enum DirectCoding: UInt8 {
    case integer, optionalInteger, string, optionalString, double, optionalDouble, bool
    /// The row of a to-one relationship, 0 for null.
    case row

    init?(_ type: Any.Type) {
        switch type {
        case is Int.Type: self = .integer
        case is Int?.Type: self = .optionalInteger
        case is String.Type: self = .string
        case is String?.Type: self = .optionalString
        case is Double.Type: self = .double
        case is Double?.Type: self = .optionalDouble
        case is Bool.Type: self = .bool
        default: return nil
        }
    }

    /// Whether every value of the type can be saved.
    var isTotal: Bool { self != .double && self != .optionalDouble }

    /// Sets a property to the value of a column.
    ///
    /// - Returns: Whether the column contains a value of the property's type.
    @inline(__always) func load(_ column: some ReadableColumn, into memory: ObjectMemory, at offset: Int) -> Bool {
        switch (self, column.kind) {
        case (.row, .integer):
            // Negative rows are those of new objects.
            guard column.integer > 0 else { return false }
            memory[offset, as: Int64.self] = column.integer
        case (.row, .null): memory[offset, as: Int64.self] = 0
        case (.integer, .integer):
            guard let value = Int(exactly: column.integer) else { return false }
            memory[offset, as: Int.self] = value
        case (.optionalInteger, .integer):
            guard let value = Int(exactly: column.integer) else { return false }
            memory[offset, as: Int?.self] = value
        case (.optionalInteger, .null): memory[offset, as: Int?.self] = nil
        case (.string, .text): memory[offset, as: String.self] = column.text
        case (.optionalString, .text): memory[offset, as: String?.self] = column.text
        case (.optionalString, .null): memory[offset, as: String?.self] = nil
        case (.double, .real): memory[offset, as: Double.self] = column.real
        case (.optionalDouble, .real): memory[offset, as: Double?.self] = column.real
        case (.optionalDouble, .null): memory[offset, as: Double?.self] = nil
        case (.bool, .integer): memory[offset, as: Bool.self] = column.integer != 0
        default: return false
        }
        return true
    }

    /// Returns the stored form of a property.
    func storedValue(of memory: ObjectMemory, at offset: Int) -> StoredValue {
        switch self {
        case .row: memory[offset, as: Int64.self].storedValue
        case .integer: memory[offset, as: Int.self].storedValue
        case .optionalInteger: memory[offset, as: Int?.self].storedValue
        case .string: memory[offset, as: String.self].storedValue
        case .optionalString: memory[offset, as: String?.self].storedValue
        case .double: memory[offset, as: Double.self].storedValue
        case .optionalDouble: memory[offset, as: Double?.self].storedValue
        case .bool: memory[offset, as: Bool.self].storedValue
        }
    }
}

/// A value with the accessors that direct codings require.
protocol ReadableColumn {
    var kind: SQLiteColumn.Kind { get }
    /// The integer; 0 for other kinds.
    var integer: Int64 { get }
    /// The number; 0 for other kinds.
    var real: Double { get }
    /// The text; empty for other kinds.
    var text: String { get }
}

extension SQLiteColumn: ReadableColumn {}
