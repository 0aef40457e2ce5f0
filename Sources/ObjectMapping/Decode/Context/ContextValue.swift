/// The value of a source.
enum ContextValue {
    /// Bytes of a text, spelled as the value would be written.
    case text(ByteView)
    case made(MadeValue)

    /// The bytes of the value.
    var bytes: ByteView {
        switch self {
        case .text(let bytes): bytes
        case .made(let value): value.bytes
        }
    }

    /// The value as a tree.
    var json: JSON? {
        switch self {
        case .text(let bytes): return try? JSON(bytes)
        case .made(let value): return value.json
        }
    }

    /// Creates the value of a member from valid text; `nil` if it would be written differently.
    init?(asWritten bytes: ByteView) {
        switch bytes.first {
        case .openBrace, .openBracket: return nil
        case .quote where bytes.contains(.backslash): return nil
        default: self = .text(bytes)
        }
    }
}

/// A computed or assembled value, created once for all objects that read it.
final class MadeValue {
    let json: JSON
    private let buffer: ByteBuffer
    /// The value as it would be written, with padding.
    let text: Bytes
    /// Whether it is being read: a nested read uses a copy.
    @safe @exclusivity(unchecked) var isBeingRead = false

    init(_ json: JSON) {
        var buffer = ByteBuffer(capacity: 32)
        json.text.withView { buffer.append($0) }
        self.json = json
        text = buffer.text
        self.buffer = buffer
    }

    var bytes: ByteView { text.raw(buffer.count) }
}

extension JSON {
    /// Returns the value at a path, for storage.
    func computed(at path: ArraySlice<JSONKeyPath.Component>) -> ComputedValues.Value {
        do throws(OperatorMismatch) {
            return .success(try value(at: path).map(MadeValue.init))
        } catch {
            return .failure(error)
        }
    }
}

/// A place in a text that does not move while it is read.
struct TextPlace {
    /// The first byte of the text.
    var head: Bytes
    var start: Bytes
    /// The end of the text.
    var end: Bytes

    /// The text from the place to its end.
    var rest: ByteView { start.raw(end - start) }

    /// Returns the raw key of the member whose value starts at a place; `nil` if it is not a member.
    func key(before value: Bytes) -> ByteView? {
        guard let colon = token(before: value), colon.pointee == .colon, let close = token(before: colon),
            close.pointee == .quote
        else { return nil }
        var open = close
        repeat {
            guard open > head else { return nil }
            open -= 1
        } while open.pointee != .quote || isEscaped(open)
        return (open + 1).raw(close - open - 1)
    }

    private func token(before place: Bytes) -> Bytes? {
        var place = place
        while place > head {
            place -= 1
            if !place.pointee.isJSONBlank { return place }
        }
        return nil
    }

    /// Whether the number of backslashes before a byte is odd.
    private func isEscaped(_ place: Bytes) -> Bool {
        var first = place
        while first > head, (first - 1).pointee == .backslash { first -= 1 }
        return (place - first) % 2 == 1
    }

}
