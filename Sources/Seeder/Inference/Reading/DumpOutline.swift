import ObjectMapping

/// Finds out what stands near the top of a text: enough to say where the collections are.
///
/// Whether the text is JSON is not its question; whoever reads the collections will see that.
struct DumpOutline {
    private(set) var root: OutlineNode?
    private var frames: [OutlineNode] = []
    /// How many containers are open, those within arrays too.
    private var depth = 0
    private var state = State.value
    private var token: [UInt8] = []
    private var key = ""
    private var isKey = false

    private enum State {
        case value
        case string(isEscaped: Bool)
        case scalar
    }

    /// Objects within objects that are looked at; and members of each that are kept.
    private static let deepest = 6
    private static let mostMembers = 1000
    /// A longer key is cut off: nobody calls a collection so.
    private static let longestToken = 1024

    /// Reads a text to its end, or as far as the answer needs.
    static func outline(of source: any ByteSource) throws -> OutlineNode? {
        var (outline, source) = (DumpOutline(), source)
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 16)
        defer { buffer.deallocate() }
        while case let count = try source.read(into: buffer), count > 0 {
            for byte in buffer[..<count] { outline.take(byte) }
            // The elements of an array at the top are read one by one anyway.
            if outline.root?.kind == .array { break }
        }
        outline.endScalar()
        return outline.root
    }

    private mutating func take(_ byte: UInt8) {
        switch state {
        case .string(let isEscaped):
            if byte == UInt8(ascii: "\""), !isEscaped { return endString() }
            if isSeen, token.count < Self.longestToken { token.append(byte) }
            let isBackslash = byte == UInt8(ascii: "\\")
            if isEscaped || isBackslash { state = .string(isEscaped: isBackslash && !isEscaped) }
            return
        case .scalar:
            switch byte {
            case UInt8(ascii: ","), UInt8(ascii: "]"), UInt8(ascii: "}"), 0...32: endScalar()
            default:
                if token.count < Self.longestToken { token.append(byte) }
                return
            }
        case .value: break
        }
        switch byte {
        case UInt8(ascii: "{"): open(.object)
        case UInt8(ascii: "["): open(.array)
        case UInt8(ascii: "}"), UInt8(ascii: "]"): close()
        case UInt8(ascii: ","): isKey = isSeen && frames.last?.kind == .object
        case UInt8(ascii: ":"): isKey = false
        case UInt8(ascii: "\""):
            token.removeAll(keepingCapacity: true)
            state = .string(isEscaped: false)
        case 0...32: break
        default:
            token = [byte]
            state = .scalar
        }
    }

    /// Whether what stands here is an own node, or a member of one.
    private var isSeen: Bool { depth == frames.count }

    private mutating func open(_ kind: OutlineNode.Kind) {
        let node = add(kind)
        // Nothing in an array is on the way to a collection but the collection itself.
        if let node, depth == frames.count, frames.last?.kind != .array {
            if depth < Self.deepest { frames.append(node) } else { node.isDeep = true }
        }
        depth += 1
        isKey = isSeen && kind == .object
    }

    private mutating func close() {
        if depth == frames.count { _ = frames.popLast() }
        depth = max(depth - 1, 0)
        isKey = false
    }

    private mutating func endString() {
        state = .value
        if isKey {
            key = JSONText.unescaped(token)
            isKey = false
        } else {
            add(.string)
        }
    }

    private mutating func endScalar() {
        guard case .scalar = state else { return }
        state = .value
        let isInteger = token.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 || $0 == UInt8(ascii: "-") }
        add(token == Array("null".utf8) ? .null : isInteger ? .integer : .other)
    }

    /// Counts a value in the one that holds it; its node, if it is kept.
    @discardableResult
    private mutating func add(_ kind: OutlineNode.Kind) -> OutlineNode? {
        guard isSeen else { return nil }
        let node = OutlineNode(key: frames.isEmpty ? "" : key, kind: kind)
        guard let holder = frames.last else {
            if root == nil { root = node }
            return node
        }
        switch kind {
        case .object: holder.objects += 1
        case .array: holder.arrays += 1
        case .null:
            holder.scalars += 1
            holder.nulls += 1
        default: holder.scalars += 1
        }
        guard holder.kind == .object else { return node }
        if holder.members.count < Self.mostMembers { holder.members.append(node) } else { holder.isLarge = true }
        return node
    }
}
