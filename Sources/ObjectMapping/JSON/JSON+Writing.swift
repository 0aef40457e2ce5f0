extension JSON: CustomStringConvertible {
    /// The value as JSON text without blanks: numbers as they stood, keys in their order.
    ///
    /// An absent value is an empty text.
    public var text: String { String(decoding: written(indented: false), as: UTF8.self) }

    /// The value as JSON text in UTF-8 without blanks.
    public var data: Data { Data(written(indented: false)) }

    /// The value as JSON text on several lines, each level indented by two blanks.
    public var prettyPrinted: String { String(decoding: written(indented: true), as: UTF8.self) }

    /// The value as JSON text without blanks, as `text`.
    public var description: String { text }

    private func written(indented: Bool) -> [UInt8] {
        var writer = JSONWriter(isIndented: indented)
        writer.write(self)
        return writer.bytes
    }
}

private struct JSONWriter {
    let isIndented: Bool
    var bytes: [UInt8] = []
    private var depth = 0

    init(isIndented: Bool) { self.isIndented = isIndented }

    mutating func write(_ json: JSON) {
        switch json.content {
        case .absent, .document: break
        case .null: bytes += "null".utf8
        case .bool(let value): bytes += (value ? "true" : "false").utf8
        case .integer(let value): bytes += String(value).utf8
        case .number(let text): bytes += text.utf8
        case .string(let text): JSONText.append(text.utf8, to: &bytes)
        case .array(let elements):
            list(elements, between: "[", "]") { $0.write($1) }
        case .object(let object):
            list(object, between: "{", "}") { writer, member in
                JSONText.append(member.key.utf8, to: &writer.bytes)
                writer.bytes += (writer.isIndented ? ": " : ":").utf8
                writer.write(member.value)
            }
        }
    }

    private mutating func list<C: Collection>(
        _ elements: C, between open: String, _ close: String, write: (inout JSONWriter, C.Element) -> Void
    ) {
        bytes += open.utf8
        depth += 1
        var isFirst = true
        for element in elements {
            if !isFirst { bytes.append(UInt8(ascii: ",")) }
            isFirst = false
            newLine()
            write(&self, element)
        }
        depth -= 1
        if !isFirst { newLine() }
        bytes += close.utf8
    }

    private mutating func newLine() {
        guard isIndented else { return }
        bytes.append(0x0A)
        bytes.append(contentsOf: repeatElement(0x20, count: depth * 2))
    }
}
