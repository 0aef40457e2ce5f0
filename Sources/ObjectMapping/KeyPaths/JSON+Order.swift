extension JSON {
    /// Compares two numbers by their exact values, or two strings; `nil` for other values.
    func isSmaller(than other: JSON) -> Bool? {
        if let text = string {
            return other.string.map { text.unicodeScalars.lexicographicallyPrecedes($0.unicodeScalars) }
        }
        if case (.integer(let a), .integer(let b)) = (storage, other.storage) { return a < b }
        guard let number, let other = other.number else { return nil }
        return number < other
    }
}

/// A sum of JSON numbers: exact in 128 bits while all are integers, otherwise as `Double`.
struct NumberSum: Sendable {
    private var integers: Int128 = 0
    /// The sum of numbers that are not integers, or that overflowed.
    private var others: Double?

    /// Adds an integer.
    mutating func add(_ value: Int64) { add(Int128(value)) }

    /// Adds a number that is not an integer.
    mutating func add(_ value: Double) { others = (others ?? 0) + value }

    /// Adds a JSON number; returns false for other values, and for an overflow of `Double`.
    mutating func add(_ json: JSON) -> Bool {
        if case .integer(let value) = json.storage {
            add(value)
        } else if let value = json.integer(Int128.self) {
            add(value)
        } else if let value = json.double {
            add(value)
        } else {
            return false
        }
        return true
    }

    private mutating func add(_ value: Int128) {
        let (sum, overflow) = integers.addingReportingOverflow(value)
        if overflow { add(Double(value)) } else { integers = sum }
    }

    /// Whether the sum is within the range of `Double`; an overflow is permanent.
    var isFinite: Bool { others?.isFinite ?? true }

    /// The sum as a `Double`.
    var double: Double { Double(integers) + (others ?? 0) }

    /// The sum: an integer of any size if only integers were added.
    var json: JSON { others == nil ? .integer(integers) : .double(double) }

    /// Returns the sum divided by a count, 0 for a count of 0; an integer if that is exact.
    func average(over count: Int) -> JSON {
        guard count > 0 else { return 0 }
        if others == nil, integers % Int128(count) == 0 { return .integer(integers / Int128(count)) }
        return .double(double / Double(count))
    }
}
