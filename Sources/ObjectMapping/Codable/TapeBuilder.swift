/// Makes a tape of tokens in one pass over a text, which checks every byte of it.
struct TapeBuilder {
    private let text: Bytes
    private(set) var words: UnsafeMutablePointer<UInt64>
    private(set) var count = 0
    private var capacity: Int

    /// - Parameter text: a text with padding behind it.
    init(_ text: Bytes, count: Int) {
        self.text = text
        capacity = count / 8 + 32
        words = .allocate(capacity: capacity)
        // The null of what is not there: place 0 is no token of the text.
        append(Token(.null, offset: 0))
    }

    @inline(__always) private mutating func append(_ token: Token) {
        if count + 2 > capacity { grow() }
        words[count] = token.word
        count &+= 1
    }

    @inline(never) private mutating func grow() {
        capacity *= 2
        let larger = UnsafeMutablePointer<UInt64>.allocate(capacity: capacity)
        larger.initialize(from: words, count: count)
        words.deallocate()
        words = larger
    }

    /// Reads a text that is one value; false if it is broken or too deep.
    mutating func read(from start: Bytes, to end: Bytes, maximumDepth: Int) -> Bool {
        var place = skipWhitespace(start)
        // The innermost open container, 0 for none; until it closes its second word tells the one around it.
        var open = 0
        var members: UInt64 = 0
        var isObject = false
        var depth = 0
        while true {
            var isEmpty = false
            switch place.pointee {
            case .quote:
                guard let next = string(place) else { return false }
                place = next
            case .openBrace, .openBracket:
                if depth >= maximumDepth { return false }
                depth += 1
                isObject = place.pointee == .openBrace
                append(Token(isObject ? .object : .array, offset: place - text))
                words[count] = UInt64(open) | members << 32
                open = count - 1
                count += 1
                members = 0
                place = skipWhitespace(place + 1)
                if place.pointee == (isObject ? .closeBrace : .closeBracket) {
                    isEmpty = true
                } else if isObject {
                    guard let next = key(place) else { return false }
                    place = next
                    continue
                } else {
                    continue
                }
            case UInt8(ascii: "t"):
                guard place.isTrue else { return false }
                append(Token(.true, offset: place - text))
                place += 4
            case UInt8(ascii: "f"):
                guard place.isFalse else { return false }
                append(Token(.false, offset: place - text))
                place += 5
            case UInt8(ascii: "n"):
                guard place.isNull else { return false }
                append(Token(.null, offset: place - text))
                place += 4
            default:
                guard let next = number(place) else { return false }
                place = next
            }
            // Behind a value, or at the end of an empty container.
            while true {
                if !isEmpty {
                    place = skipWhitespace(place)
                    if depth == 0 { return place == end }
                    members += 1
                    if place.pointee == .comma {
                        place = skipWhitespace(place + 1)
                        if isObject {
                            guard let next = key(place) else { return false }
                            place = next
                        }
                        break
                    }
                    guard place.pointee == (isObject ? .closeBrace : .closeBracket) else { return false }
                }
                isEmpty = false
                let outer = words[open + 1]
                words[open + 1] = UInt64(count) | members << 32
                open = Int(truncatingIfNeeded: outer & 0xFFFF_FFFF)
                members = outer >> 32
                isObject = words[open] & 15 == Token.Kind.object.rawValue
                depth -= 1
                place += 1
            }
        }
    }

    /// A key and the colon behind it; the place of its value.
    @inline(__always) private mutating func key(_ place: Bytes) -> Bytes? {
        guard place.pointee == .quote, let end = string(place) else { return nil }
        let colon = skipWhitespace(end)
        return colon.pointee == .colon ? skipWhitespace(colon + 1) : nil
    }

    @inline(__always) private mutating func string(_ place: Bytes) -> Bytes? {
        var seen: UInt64 = 0
        let start = place + 1
        let stop = scanString(start, &seen)
        guard stop.pointee == .quote, !hasTopBits(seen) else { return unusualString(place, stop) }
        append(Token(.plainString, offset: place - text, length: stop - start))
        return stop + 1
    }

    @inline(never) private mutating func unusualString(_ place: Bytes, _ stop: Bytes) -> Bytes? {
        let start = place + 1
        guard let end = skipString(start) else { return nil }
        append(
            Token(stop.pointee == .quote ? .string : .escapedString, offset: place - text, length: end - 1 - start))
        return end
    }

    @inline(__always) private mutating func number(_ place: Bytes) -> Bytes? {
        let first = place.pointee == UInt8(ascii: "-") ? place + 1 : place
        var end = first
        while end.pointee.isASCIIDigit { end += 1 }
        let digits = end - first
        if digits == 0 || (digits > 1 && first.pointee == UInt8(ascii: "0")) { return nil }
        let isPlain = digits <= 18 && end.pointee != UInt8(ascii: ".") && end.pointee | 0x20 != UInt8(ascii: "e")
        if !isPlain {
            guard let whole = skipNumber(place) else { return nil }
            end = whole
        }
        append(Token(isPlain ? .integer : .number, offset: place - text, length: end - place))
        return end
    }
}
