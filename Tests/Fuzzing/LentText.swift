import ObjectMapping

/// The fuzzer's bytes in place: the address sanitizer detects reads after their end.
struct LentText: JSONInput {
    let bytes: UnsafeRawBufferPointer

    func withJSONBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R { try body(bytes) }

    /// A number computed from the text, which varies windows and chunks.
    var hash: Int { bytes.reduce(5381) { ($0 &* 33) ^ Int($1) } & 0xFFFF }
}

/// A source that returns a text in pieces.
struct LentChunks: ByteSource {
    let text: LentText
    let size: Int
    private var taken = 0

    init(_ text: LentText, by size: Int) {
        self.text = text
        self.size = size
    }

    mutating func read(into buffer: MutableByteView) -> Int {
        let count = buffer.copy(ByteView(text.bytes).dropFirst(taken).prefix(size))
        taken += count
        return count
    }
}
