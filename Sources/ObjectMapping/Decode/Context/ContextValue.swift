/// The value that a source leads to.
enum ContextValue {
    /// Bytes of a text which are those that would be written for the value.
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

    /// A member's value as it stands in a sound text; nil if it would be written otherwise.
    init?(asWritten bytes: ByteView) {
        switch bytes.first {
        case .openBrace, .openBracket: return nil
        case .quote where bytes.contains(.backslash): return nil
        default: self = .text(bytes)
        }
    }
}

/// A value that was computed, or put together of a text: once, for all objects that read it.
final class MadeValue {
    let json: JSON
    private let buffer: ByteBuffer
    /// The value as it would be written, padded.
    let text: Bytes
    /// Whether it is being read: within itself it is another one.
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
    /// The value that a path leads to, to be kept.
    func computed(at path: ArraySlice<JSONKeyPath.Component>) -> ComputedValues.Value {
        do throws(OperatorMismatch) {
            return .success(try value(at: path).map(MadeValue.init))
        } catch {
            return .failure(error)
        }
    }
}

/// A place in a text that stays where it is as long as anything in it is read.
struct TextPlace {
    /// The first byte of the text.
    var head: Bytes
    var start: Bytes
    /// Behind the last byte of the text.
    var end: Bytes

    /// The text from the place on.
    var rest: ByteView { start.raw(end - start) }

    /// The key of the member whose value begins at a place, as it stands between its quotes; nil if it is no member's.
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

    /// Whether an odd number of backslashes stands before a byte.
    private func isEscaped(_ place: Bytes) -> Bool {
        var first = place
        while first > head, (first - 1).pointee == .backslash { first -= 1 }
        return (place - first) % 2 == 1
    }

}
