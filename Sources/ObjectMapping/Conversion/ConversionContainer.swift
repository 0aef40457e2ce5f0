/// A type whose values hold others that a conversion may convert: `Optional`, `Array`, `Set` and `Dictionary`.
///
/// For the library's own use: it is why a conversion of a type serves these as well.
public protocol ConversionContainer: SendableMetatype {
    /// What the values hold.
    associatedtype Content

    /// What a conversion of the content becomes for the container; without a way to read and write.
    static func plan(_ content: Conversion<Content>) -> ContainerPlan

    /// A value whose content is converted.
    static func value(of json: JSON, _ content: Conversion<Content>) throws -> Self

    /// The value as JSON, its content converted.
    func json(_ content: Conversion<Content>) throws -> JSON
}

/// How a container is read whose content has a conversion; for the library's own use.
public struct ContainerPlan {
    let expectation: String
    let acceptsNull: Bool
    /// Nil if the value is read as a tree.
    let box: (() -> ValueBox)?
}

extension Conversion where Value: ConversionContainer {
    /// The conversion that converts what the values hold by another one.
    @usableFromInline init(holding content: Conversion<Value.Content>) {
        let plan = Value.plan(content)
        self.init(plan.expectation) { json in
            try Value.value(of: json, content)
        } write: { value in
            try value.json(content)
        }
        makeBox = { Value.plan(content).box?() }
        acceptsNull = plan.acceptsNull
        mistake = content.mistake
    }
}

extension Optional: ConversionContainer {
    /// Null is nil, all else is left to the content's conversion.
    public static func plan(_ content: Conversion<Wrapped>) -> ContainerPlan {
        ContainerPlan(
            expectation: content.expectation, acceptsNull: true,
            box: content.isBlankNone
                ? nil : { OptionalBox<Wrapped>(content.box(), passesNull: content.acceptsNull) })
    }

    /// Nil for null, and for a text of blanks if the conversion says so.
    public static func value(of json: JSON, _ content: Conversion<Wrapped>) throws -> Wrapped? {
        let isNone = json.isNull && !content.acceptsNull || content.isBlankNone && json.isBlank
        return isNone ? nil : try content.value(of: json)
    }

    /// Null for nil; an optional in an optional is absent if the outer one is nil.
    public func json(_ content: Conversion<Wrapped>) throws -> JSON {
        try map(content.write) ?? (content.acceptsNull ? .absent : .null)
    }
}

extension Array: ConversionContainer {
    /// A list.
    public static func plan(_ content: Conversion<Element>) -> ContainerPlan {
        ContainerPlan(expectation: "a list, each element \(content.expectation)", acceptsNull: false) {
            ListBox(ElementType(Element.self), .value, content.box())
        }
    }

    /// Every element converted; a lone value is a list of one.
    public static func value(of json: JSON, _ content: Conversion<Element>) throws -> [Element] {
        guard let elements = json.array else { return [try content.value(of: json)] }
        return try elements.enumerated().map { index, element in
            do throws(ConversionFailure) {
                return try content.value(of: element)
            } catch {
                throw error.under(.index(index))
            }
        }
    }

    /// The elements.
    public func json(_ content: Conversion<Element>) throws -> JSON { .array(try map(content.write)) }
}

extension Set: ConversionContainer {
    /// A list.
    public static func plan(_ content: Conversion<Element>) -> ContainerPlan {
        ContainerPlan(expectation: "a list, each element \(content.expectation)", acceptsNull: false) {
            SetBox<Element>(ListBox(ElementType(Element.self), .value, content.box()))
        }
    }

    /// Every element converted; repeated ones count once.
    public static func value(of json: JSON, _ content: Conversion<Element>) throws -> Set<Element> {
        Set(try [Element].value(of: json, content))
    }

    /// The elements, in no order.
    public func json(_ content: Conversion<Element>) throws -> JSON { .array(try map(content.write)) }
}

extension Dictionary: ConversionContainer where Key: CodingKeyRepresentable {
    /// An object.
    public static func plan(_ content: Conversion<Value>) -> ContainerPlan {
        ContainerPlan(expectation: "an object, each value \(content.expectation)", acceptsNull: false) {
            DictionaryBox<Key, Value>(content.box())
        }
    }

    /// The value of every member converted.
    public static func value(of json: JSON, _ content: Conversion<Value>) throws -> [Key: Value] {
        guard let object = json.object else {
            throw ConversionFailure(.typeMismatch, expected: "an object", found: json.kindName)
        }
        var values: [Key: Value] = [:]
        for (name, json) in object {
            guard let key = Key(memberKey: name) else {
                throw ConversionFailure(.invalidValue, expected: "a key of type \(Key.self)", found: "another key")
            }
            do throws(ConversionFailure) {
                values[key] = try content.value(of: json)
            } catch {
                throw error.under(.key(name))
            }
        }
        return values
    }

    /// An object, its members in the order of their keys' texts.
    public func json(_ content: Conversion<Value>) throws -> JSON { try .members(self, content.write) }
}

extension JSON {
    /// Whether this is a text of nothing but blanks.
    fileprivate var isBlank: Bool { string?.utf8.allSatisfy(\.isJSONBlank) ?? false }
}

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
