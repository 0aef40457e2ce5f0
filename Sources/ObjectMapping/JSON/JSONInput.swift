/// Something that holds JSON text as UTF-8: `Data`, `[UInt8]`, `String` and slices of them.
public protocol JSONInput {
    /// Calls a closure with the bytes of the text, which lie there only as long as the call lasts.
    func withJSONBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R
}

extension Data: JSONInput {
    /// Calls a closure with the bytes.
    public func withJSONBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
        try withUnsafeBytes(body)
    }
}

extension [UInt8]: JSONInput {
    /// Calls a closure with the bytes.
    public func withJSONBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
        try withUnsafeBytes(body)
    }
}

extension ArraySlice<UInt8>: JSONInput {
    /// Calls a closure with the bytes.
    public func withJSONBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
        try withUnsafeBytes(body)
    }
}

extension String: JSONInput {
    /// Calls a closure with the text in UTF-8.
    public func withJSONBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
        var text = self
        return try text.withUTF8 { try body(UnsafeRawBufferPointer($0)) }
    }
}

extension Substring: JSONInput {
    /// Calls a closure with the text in UTF-8.
    public func withJSONBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
        var text = self
        return try text.withUTF8 { try body(UnsafeRawBufferPointer($0)) }
    }
}
