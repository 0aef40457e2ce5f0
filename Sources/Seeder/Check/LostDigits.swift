import ObjectMapping

/// Finds numbers in the elements of a dump whose digits a column of the type `double` does not keep.
struct LostDigits {
    private let entities: [RowEntity]
    private let hasDoubles: Bool

    init(_ entities: [RowEntity]) {
        self.entities = entities
        hasDoubles = entities.contains { $0.attributes.contains(where: \.isDouble) }
    }

    /// A number, with the name of its attribute.
    struct Number {
        let path: [JSONPathStep]
        /// The offset in the element.
        let offset: Int
        let attribute: String
    }

    /// Returns the numbers in the text of an element that lose digits.
    ///
    /// - Parameter entity: The index of the element's entity; `nil` for a wrapped element.
    func find(in element: ByteView, of entity: Int?) -> [Number] {
        guard hasDoubles, Self.mayLoseDigits(element) else { return [] }
        var numbers: [Number] = []
        var tokenizer = JSONTokenizer(element, maximumDepth: .max)
        while true {
            switch tokenizer.next() {
            case .scalar(let range):
                let text = String(decoding: tokenizer.bytes(of: range), as: UTF8.self)
                guard text.utf8.count > 15, text.first != "\"", let double = Double(text),
                    NumberText.losesDigits(text, as: double)
                else { continue }
                let path = tokenizer.path(through: tokenizer.depth)
                guard let attribute = attribute(at: path[...], ofElementOf: entity) else { continue }
                numbers.append(Number(path: path, offset: range.lowerBound, attribute: attribute))
            case .key, .open, .close: continue
            case .end, .failure, .needsMore: return numbers
            }
        }
    }

    /// Whether a text has more than 15 digits in a row, except for a decimal point.
    private static func mayLoseDigits(_ text: ByteView) -> Bool {
        var count = 0
        for byte in text {
            if UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte {
                count += 1
                if count > 15 { return true }
            } else if byte != UInt8(ascii: ".") {
                count = 0
            }
        }
        return false
    }

    private func attribute(at path: ArraySlice<JSONPathStep>, ofElementOf entity: Int?) -> String? {
        if let entity { return attribute(at: path, of: entity) }
        guard case .key(let wrapper)? = path.first,
            let entity = entities.firstIndex(where: { $0.elementNames.contains(wrapper) })
        else { return nil }
        return attribute(at: path.dropFirst(), of: entity)
    }

    /// Returns the attribute of the type `double` that is read from a path in an object.
    private func attribute(at path: ArraySlice<JSONPathStep>, of entity: Int) -> String? {
        for attribute in entities[entity].attributes where attribute.isDouble {
            if let rest = Self.rest(of: path, after: attribute.path), rest.isEmpty {
                return "\(entities[entity].name).\(attribute.name)"
            }
        }
        for relationship in entities[entity].relationships {
            guard let rest = Self.rest(of: path, after: relationship.path), rest.count < path.count else { continue }
            if let found = attribute(at: rest, of: relationship.destination) { return found }
        }
        return nil
    }

    /// Returns the steps after a key path and an index in its list; `nil` for another path.
    private static func rest(
        of path: ArraySlice<JSONPathStep>, after keyPath: JSONKeyPath?
    ) -> ArraySlice<JSONPathStep>? {
        guard let keys = keyPath?.plainKeys, path.starts(with: keys.map(JSONPathStep.key)) else { return nil }
        let rest = path.dropFirst(keys.count)
        if case .index? = rest.first { return rest.dropFirst() }
        return rest
    }
}

extension RowAttribute {
    fileprivate var isDouble: Bool { type.scalar == .double && pattern == nil }

    /// The key path, if the value is read from a single one.
    fileprivate var path: JSONKeyPath? { if case .path(let path) = source { path } else { nil } }
}
