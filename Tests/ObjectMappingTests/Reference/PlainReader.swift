import ObjectMapping

/// Reads a document exactly by RFC 8259, byte by byte.
struct PlainReader {
    /// The text is not JSON from this offset on.
    struct Failure: Error, Equatable {
        var offset: Int
    }

    private let bytes: [UInt8]
    private var offset = 0
    private static let deepest = 512
    private static let longestNumber = 1024

    /// The value of a document.
    static func read(_ bytes: [UInt8]) throws(Failure) -> PlainNode {
        var reader = PlainReader(bytes: bytes)
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        if bytes.starts(with: mark) { reader.offset = 3 }
        // A text that is only a part of the mark is truncated.
        if !bytes.isEmpty, bytes.count < 3, mark.starts(with: bytes) { throw Failure(offset: bytes.count) }
        let value = try reader.value([])
        reader.skipBlanks()
        guard reader.offset == bytes.count else { throw Failure(offset: reader.offset) }
        return value
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    private var next: UInt8? { offset < bytes.count ? bytes[offset] : nil }

    private mutating func skipBlanks() {
        while let byte = next, [0x20, 0x0A, 0x0D, 0x09].contains(byte) { offset += 1 }
    }

    private func character(_ byte: UInt8?) -> Character? { byte.map { Character(Unicode.Scalar($0)) } }

    private mutating func value(_ path: [JSONPathStep]) throws(Failure) -> PlainNode {
        skipBlanks()
        let place = PlainNode.Place(offset: offset, path: path)
        let kind: PlainNode.Kind =
            switch character(next) {
            case "{": try object(path)
            case "[": try array(path)
            case "\"": .string(try string())
            case "-", "0", "1", "2", "3", "4", "5", "6", "7", "8", "9": .number(try number())
            default: try word()
            }
        return PlainNode(kind: kind, place: place)
    }

    private mutating func open(_ path: [JSONPathStep]) throws(Failure) {
        guard path.count < Self.deepest else { throw Failure(offset: offset) }
        offset += 1
        skipBlanks()
    }

    private mutating func object(_ path: [JSONPathStep]) throws(Failure) -> PlainNode.Kind {
        try open(path)
        var members: [PlainNode.Member] = []
        if character(next) == "}" {
            offset += 1
            return .object([])
        }
        while true {
            skipBlanks()
            guard character(next) == "\"" else { throw Failure(offset: offset) }
            let keyOffset = offset
            let key = try string()
            skipBlanks()
            guard character(next) == ":" else { throw Failure(offset: offset) }
            offset += 1
            members.append(.init(key: key, keyOffset: keyOffset, value: try value(path + [.key(key)])))
            skipBlanks()
            switch character(next) {
            case ",": offset += 1
            case "}":
                offset += 1
                return .object(members)
            default: throw Failure(offset: offset)
            }
        }
    }

    private mutating func array(_ path: [JSONPathStep]) throws(Failure) -> PlainNode.Kind {
        try open(path)
        var elements: [PlainNode] = []
        if character(next) == "]" {
            offset += 1
            return .array([])
        }
        while true {
            elements.append(try value(path + [.index(elements.count)]))
            skipBlanks()
            switch character(next) {
            case ",": offset += 1
            case "]":
                offset += 1
                return .array(elements)
            default: throw Failure(offset: offset)
            }
        }
    }

    private mutating func word() throws(Failure) -> PlainNode.Kind {
        for (word, kind) in [("true", PlainNode.Kind.bool(true)), ("false", .bool(false)), ("null", .null)] {
            let present = Array(bytes[offset...].prefix(word.utf8.count))
            if present == Array(word.utf8) {
                offset += present.count
                return kind
            }
            // The text ends within a word.
            if !present.isEmpty, offset + present.count == bytes.count, word.utf8.starts(with: present) {
                throw Failure(offset: bytes.count)
            }
        }
        throw Failure(offset: offset)
    }

    private mutating func number() throws(Failure) -> String {
        let start = offset
        func digits(_ reader: inout PlainReader) throws(Failure) {
            guard let first = reader.next, first.isDigit else { throw Failure(offset: reader.offset) }
            while let byte = reader.next, byte.isDigit { reader.offset += 1 }
            if reader.offset - start > Self.longestNumber { throw Failure(offset: start) }
        }
        if character(next) == "-" { offset += 1 }
        let first = offset
        try digits(&self)
        if character(bytes[first]) == "0", offset > first + 1 { throw Failure(offset: start) }
        if character(next) == "." {
            offset += 1
            try digits(&self)
        }
        if character(next) == "e" || character(next) == "E" {
            offset += 1
            if character(next) == "+" || character(next) == "-" { offset += 1 }
            try digits(&self)
        }
        return String(decoding: bytes[start..<offset], as: UTF8.self)
    }

    private mutating func string() throws(Failure) -> String {
        offset += 1
        var text = ""
        while true {
            guard let byte = next else { throw Failure(offset: offset) }
            switch byte {
            case UInt8(ascii: "\""):
                offset += 1
                return text
            case UInt8(ascii: "\\"): text.unicodeScalars.append(try escape())
            case ..<0x20: throw Failure(offset: offset)
            default: text.unicodeScalars.append(try scalar())
            }
        }
    }

    private mutating func scalar() throws(Failure) -> Unicode.Scalar {
        for length in 1...4 {
            let part = Array(bytes[offset...].prefix(length))
            if part.count == length, let text = String(validating: part, as: UTF8.self),
                let scalar = text.unicodeScalars.first
            {
                offset += length
                return scalar
            }
        }
        // A truncated character lacks its rest; anything else is invalid at its start.
        let rest = Array(bytes[offset...])
        let isCut = rest.count < 4 && Self.isBeginning(rest)
        throw Failure(offset: isCut ? bytes.count : offset)
    }

    /// Whether these bytes are the beginning of a character.
    private static func isBeginning(_ bytes: [UInt8]) -> Bool {
        if bytes.count == 4 { return String(validating: bytes, as: UTF8.self)?.unicodeScalars.count == 1 }
        if bytes.count > 1, String(validating: bytes, as: UTF8.self)?.unicodeScalars.count == 1 { return true }
        return (UInt8(0x80)...0xBF).contains { $0 & 0xF == 0 && isBeginning(bytes + [$0]) }
    }

    private mutating func escape() throws(Failure) -> Unicode.Scalar {
        let start = offset
        guard start + 1 < bytes.count else { throw Failure(offset: bytes.count) }
        let simple: [Character: Unicode.Scalar] = [
            "\"": "\"", "\\": "\\", "/": "/", "b": "\u{8}", "f": "\u{C}", "n": "\n", "r": "\r", "t": "\t",
        ]
        if let scalar = simple[Character(Unicode.Scalar(bytes[start + 1]))] {
            offset += 2
            return scalar
        }
        guard bytes[start + 1] == UInt8(ascii: "u") else { throw Failure(offset: start + 1) }
        let unit = try codeUnit()
        if let scalar = Unicode.Scalar(unit) { return scalar }
        guard unit < 0xDC00 else { throw Failure(offset: start) }
        for expected in [UInt8(ascii: "\\"), UInt8(ascii: "u")] {
            let place = offset + (expected == UInt8(ascii: "u") ? 1 : 0)
            guard place < bytes.count else { throw Failure(offset: bytes.count) }
            guard bytes[place] == expected else { throw Failure(offset: start) }
        }
        let low = try codeUnit()
        guard 0xDC00..<0xE000 ~= low, let scalar = Unicode.Scalar(0x10000 + (unit - 0xD800) * 0x400 + (low - 0xDC00))
        else { throw Failure(offset: start) }
        return scalar
    }

    private mutating func codeUnit() throws(Failure) -> UInt32 {
        var unit: UInt32 = 0
        for place in offset + 2..<offset + 6 {
            guard place < bytes.count else { throw Failure(offset: bytes.count) }
            guard let digit = Character(Unicode.Scalar(bytes[place])).hexDigitValue, bytes[place] < 0x80 else {
                throw Failure(offset: place)
            }
            unit = unit * 16 + UInt32(digit)
        }
        offset += 6
        return unit
    }
}

extension UInt8 {
    fileprivate var isDigit: Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= self }
}
