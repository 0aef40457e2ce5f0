/// How the values of a type are decoded: by the type itself, or in its place.
enum DecodableKind {
    case plain
    case date, data, url, uuid, decimal
    case integers, doubles, strings
    case list(any DecodableList.Type)
    /// A dictionary whose keys are data: no strategy is for them.
    case dictionary

    init(_ type: any Decodable.Type, _ settings: DecodingSettings) {
        switch type {
        case is Date.Type: self = .date
        case is Data.Type: self = .data
        case is URL.Type: self = .url
        case is UUID.Type: self = .uuid
        case is Decimal.Type: self = .decimal
        case is [Int].Type: self = .integers
        case is [Double].Type: self = .doubles
        case is [String].Type: self = .strings
        case let list as any DecodableList.Type: self = .list(list)
        default: self = !settings.keepsKeys && type is any KeyedByStrings.Type ? .dictionary : .plain
        }
    }
}

/// Arrays of whatever can be decoded.
protocol DecodableList: Decodable {
    /// Decodes the elements one by one, without a container.
    init(elementsOf decoder: TapeDecoder) throws
}

/// Dictionaries with texts as keys.
protocol KeyedByStrings {}

extension Dictionary: KeyedByStrings where Key == String, Value: Decodable {}

extension Array: DecodableList where Element: Decodable {
    init(elementsOf decoder: TapeDecoder) throws {
        let tape = decoder.tape
        let (first, count) = try decoder.elements()
        let kind = tape.kind(of: Element.self)
        self.init()
        // A text of few bytes must not ask for much memory.
        reserveCapacity(Swift.min(count, Swift.max(16, 8 * tape.count / MemoryLayout<Element>.stride.positive)))
        var place = first
        var element = decoder.child(at: place, index: 0)
        for index in 0..<count {
            decoder.reuse(&element, at: place, index: index)
            append(try element.decode(Element.self, as: kind))
            place = tape.tokens.end(of: place)
        }
        decoder.recycle(&element)
    }
}

extension Int {
    fileprivate var positive: Int { Swift.max(1, self) }
}
