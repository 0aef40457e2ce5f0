/// JSON text in UTF-8: `Data`, `[UInt8]`, `String` and slices of them.
public protocol JSONInput {
    /// Calls a closure with the bytes of the text, which are valid during the call only.
    func withJSONBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R

    /// Whether the bytes are the payload itself, so that issues have the positions of values in it.
    ///
    /// Defaults to `true`.
    var hasPositions: Bool { get }
}

extension JSONInput {
    /// The default: the bytes are the payload.
    public var hasPositions: Bool { true }
}

extension JSONInput {
    /// Calls a closure with the bytes of the text, which must not leave the closure.
    @inline(__always) package func withJSONView<R, Failure: Error>(
        _ body: (ByteView) throws(Failure) -> R
    ) throws(Failure) -> R {
        // Not a `Result`: the first use of its metadata searches for the conformance of the error.
        var failure: Failure?
        let value = unsafe withJSONBytes { bytes -> R? in
            do throws(Failure) { return try unsafe body(ByteView(bytes)) } catch {
                failure = error
                return nil
            }
        }
        if let value { return value }
        throw known(failure)
    }
}

extension JSONInput where Self: ContiguousBytes {
    /// Calls a closure with the bytes.
    public func withJSONBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
        unsafe try withUnsafeBytes(body)
    }
}

extension Data: JSONInput {}
extension [UInt8]: JSONInput {}
extension ArraySlice<UInt8>: JSONInput {}

extension String: JSONInput {
    /// Calls a closure with the text in UTF-8.
    public func withJSONBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
        var text = self
        return try text.withUTF8 { unsafe try body(UnsafeRawBufferPointer($0)) }
    }
}

extension Substring: JSONInput {
    /// Calls a closure with the text in UTF-8.
    public func withJSONBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
        var text = self
        return try text.withUTF8 { unsafe try body(UnsafeRawBufferPointer($0)) }
    }
}

extension JSON: JSONInput {
    /// `false`: a value has no positions.
    public var hasPositions: Bool { false }

    /// Calls a closure with the value as text without whitespace.
    public func withJSONBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
        try withText { unsafe try $0.withUnsafeBytes(body) }
    }
}

extension Payload: JSONInput {
    /// Whether the payload is JSON text, which was not converted from another format.
    public var hasPositions: Bool { input.hasPositions }

    /// Calls a closure with the payload as JSON text.
    public func withJSONBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
        unsafe try input.withJSONBytes(body)
    }
}
