/// An object whose keys are data: `[String: Int]`, `[Currency: Decimal]`.
final class DictionaryBox<Key: Hashable & CodingKeyRepresentable, Value>: TypedBox<[Key: Value]> {
    private let value: ValueBox

    init(_ value: ValueBox) {
        self.value = value
        super.init()
    }

    override func make(_ reader: inout PlanReader, _ place: Bytes, _ entry: EntryRef, _ memory: Memory) -> MakeResult {
        guard place.pointee == .openBrace else {
            return .skipped(reader.mismatch(place, entry.pointee.rule, "an object"))
        }
        var values: [Key: Value] = [:]
        let end = reader.eachMember(place) { reader, name, keyPlace, place in
            guard let key = Key(memberKey: name.text) else {
                reader.note(
                    .invalidValue, at: keyPlace, entry.pointee.rule, "a key of type \(Key.self)", "another key")
                return reader.skip(place)
            }
            return withValueMemory(value.size, value.alignment) { space in
                let result = value.make(&reader, place, entry, space)
                guard result.isMade else { return result.end }
                let new = space.move(as: Value.self)
                if values.updateValue(new, forKey: key) != nil {
                    reader.note(
                        .duplicateKey, at: keyPlace, entry.pointee.rule, "each key once", "a key that stands twice")
                }
                return result.end
            }
        }
        guard let end else { return .broken }
        memory.initialize(as: [Key: Value].self, to: values)
        return .made(end)
    }
}

/// A key of an object, for types that are keys.
struct MemberKey: CodingKey {
    let stringValue: String
    var intValue: Int? { Int(stringValue) }

    init(stringValue: String) { self.stringValue = stringValue }
    init(intValue: Int) { stringValue = String(intValue) }
}

extension CodingKeyRepresentable {
    /// The value that a key spells, as it would be written; nil if it spells none.
    init?(memberKey name: String) {
        self.init(codingKey: MemberKey(stringValue: name))
        // Two keys such as "1" and "01" are never taken for one.
        guard codingKey.stringValue == name else { return nil }
    }
}

extension JSON {
    /// An object whose keys are data, in the order of their texts.
    static func members<Key: CodingKeyRepresentable, Value>(
        _ values: [Key: Value], _ write: (Value) throws -> JSON
    ) rethrows -> JSON {
        let members = try values.map { (key: $0.codingKey.stringValue, value: try write($1)) }
        return .object(JSONObject(members.sorted { $0.key < $1.key }))
    }
}
