/// Unwraps a value that an invariant guarantees: for tokens, whose words only the tape's builder writes.
@inline(__always) func known<Value>(_ value: Value?) -> Value { unsafe value.unsafelyUnwrapped }

/// A value of a type that turned out to be the requested one.
@inline(__always) func same<Value, Requested>(_ value: Value, as _: Requested.Type) -> Requested {
    precondition(Value.self == Requested.self)
    return unsafe unsafeBitCast(value, to: Requested.self)
}
