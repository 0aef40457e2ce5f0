/// A header field of a request or a response.
public struct Header: Sendable, Hashable {
    /// The name in its original case.
    public let name: String
    /// The value without surrounding whitespace.
    public let value: String

    /// Creates a field.
    public init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }

    /// Whether the field has this name, ignoring case.
    public func isNamed(_ other: String) -> Bool {
        name.utf8.count == other.utf8.count
            && zip(name.utf8, other.utf8).allSatisfy { lowercased($0) == lowercased($1) }
    }
}

extension [Header] {
    /// The value of the first field with a name, ignoring case.
    public subscript(_ name: String) -> String? { first { $0.isNamed(name) }?.value }

    /// Returns the number of fields with a name, ignoring case.
    public func count(of name: String) -> Int { count { $0.isNamed(name) } }
}

private func lowercased(_ byte: UInt8) -> UInt8 { 65...90 ~= byte ? byte | 0x20 : byte }
