import ObjectMapping

/// What is near the top of a text: enough to find its collections.
///
/// It ends at the first syntax error, which the reader of a collection then reports.
struct DumpOutline {
    private(set) var root: OutlineNode?
    /// Whether an object or array follows the first value.
    private(set) var isFollowed = false
    private var tokenizer = JSONTokenizer(maximumDepth: MappingLimits.largestDepth)
    /// The nodes of the open containers up to the maximum depth.
    private var frames: [OutlineNode] = []
    private var key = ""

    /// The maximum depth of objects; and the maximum number of members.
    private static let deepest = 6
    private static let mostMembers = 1000
    /// Longer keys are truncated: no collection has such a name.
    private static let longestKey = 1024

    /// The number of bytes that were read.
    private var count = 0
    /// The offset of the end of the first value.
    private var end: Int?

    /// Reads a text to its end, or as far as needed.
    ///
    /// - Parameter readsArray: Whether a top-level array is read to its end. Otherwise, its elements are read one by one
    ///   later.
    init(of source: any ByteSource, readsArray: Bool) throws {
        var source = source
        let block = ByteBlock(count: 256 << 10)
        while case let size = try source.read(into: block.bytes), size > 0 {
            let bytes = block.bytes.view.prefix(size)
            tokenizer.append(bytes)
            let needsMore = read()
            if root?.kind == .array, !readsArray { return }
            if let end {
                let rest = bytes.dropFirst(max(0, end - count))
                if let next = rest.first(where: { ![0x20, 0x0A, 0x0D, 0x09].contains($0) }) {
                    isFollowed = next == UInt8(ascii: "{") || next == UInt8(ascii: "[")
                    return
                }
            } else if !needsMore {
                return
            }
            count += size
        }
        tokenizer.finish()
        _ = read()
    }

    /// Reads the available text; returns whether more of it is needed.
    private mutating func read() -> Bool {
        while true {
            switch tokenizer.next() {
            case .key(let range) where tokenizer.depth == frames.count:
                key = JSONText.unescaped(tokenizer.bytes(of: range).dropFirst().dropLast().prefix(Self.longestKey))
            case .scalar(let range) where tokenizer.depth == frames.count:
                add(kind(of: tokenizer.bytes(of: range)))
            case .open(let offset, let isObject) where tokenizer.depth == frames.count + 1:
                let node = add(isObject ? .object : .array, at: offset)
                guard frames.last?.kind != .array else { continue }
                // Collections in an array are not supported.
                if frames.count < Self.deepest { frames.append(node) } else { node.isDeep = true }
            case .close(let offset) where tokenizer.depth < frames.count: frames.removeLast().end = offset + 1
            case .key, .scalar, .open, .close: continue
            case .end(let offset):
                end = offset
                return false
            case .failure: return false
            case .needsMore: return true
            }
        }
    }

    private func kind(of scalar: some BidirectionalCollection<UInt8>) -> OutlineNode.Kind {
        if scalar.last == UInt8(ascii: "\"") { return .string }
        if scalar.elementsEqual("null".utf8) { return .null }
        return scalar.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 || $0 == UInt8(ascii: "-") }
            ? .integer : .other
    }

    /// Counts a value in its container; returns its node.
    @discardableResult
    private mutating func add(_ kind: OutlineNode.Kind, at offset: Int = 0) -> OutlineNode {
        let node = OutlineNode(key: frames.isEmpty ? "" : key, kind: kind, start: offset)
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
