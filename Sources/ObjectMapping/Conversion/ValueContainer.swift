/// A type whose values contain others: `Optional`, `Array`, `Set` and `Dictionary`.
///
/// For internal use: a conversion or a mapping of the content also applies to these types.
public protocol ValueContainer: SendableMetatype {
    /// The type of the content.
    associatedtype Content

    /// Returns the reader of values whose content is read by a plan.
    ///
    /// - Parameters:
    ///   - content: The reader of the content.
    ///   - shape: How the elements of a list of objects are arranged.
    static func plan(_ content: ValuePlan<Content>, each shape: ElementShape) -> ValuePlan<Self>
}

extension Optional: ValueContainer {
    /// Reads null as `nil`, and other values as the content.
    public static func plan(_ content: ValuePlan<Wrapped>, each shape: ElementShape) -> ValuePlan<Self> {
        ValuePlan(OptionalPlan(content.typed, each: shape))
    }
}

extension Array: ValueContainer {
    /// Reads a list; a single value is accepted as a list with one element.
    @inlinable public static func plan(_ content: ValuePlan<Element>, each shape: ElementShape) -> ValuePlan<Self> {
        ValuePlan(list: content, ElementType(Element.self), each: shape)
    }
}

extension Set: ValueContainer {
    /// Reads a list; duplicates count once.
    @inlinable public static func plan(_ content: ValuePlan<Element>, each shape: ElementShape) -> ValuePlan<Self> {
        ValuePlan(set: content, ElementType(Element.self), each: shape)
    }
}

extension Dictionary: ValueContainer where Key: CodingKeyRepresentable {
    /// Reads an object whose keys are data.
    public static func plan(_ content: ValuePlan<Value>, each shape: ElementShape) -> ValuePlan<Self> {
        ValuePlan(DictionaryPlan(content.typed, each: shape))
    }
}

extension ValueContainer {
    /// Reads values whose content is read by a conversion.
    @usableFromInline static func plan(_ conversion: Conversion<Content>) -> ValuePlan<Self> {
        plan(ValuePlan(conversion), each: .element)
    }
}

extension ValueContainer where Content: ValueContainer {
    /// Reads values whose content, two levels deep, is read by a conversion.
    @usableFromInline static func plan(_ conversion: Conversion<Content.Content>) -> ValuePlan<Self> {
        plan(Content.plan(conversion), each: .element)
    }
}

extension ValuePlan {
    @usableFromInline init<Element>(list content: ValuePlan<Element>, _ type: ElementType, each shape: ElementShape)
    where Value == [Element] { typed = ListPlan(content.typed, type, each: shape) }

    @usableFromInline init<Element>(set content: ValuePlan<Element>, _ type: ElementType, each shape: ElementShape)
    where Value == Set<Element> { typed = SetPlan(ListPlan(content.typed, type, each: shape)) }
}

/// Reads an object whose keys are data: `[String: Int]`, `[Currency: Decimal]`.
final class DictionaryBox<Key: Hashable & CodingKeyRepresentable, Value>: TypedBox<[Key: Value]> {
    private let value: ValueBox
    private let skipsNull: Bool

    /// - Parameter skipsNull: Whether null members are skipped.
    init(_ value: ValueBox, skipsNull: Bool) {
        self.value = value
        self.skipsNull = skipsNull
        super.init()
    }

    override var holdsIdentities: Bool { value.holdsIdentities }

    override func collect(_ identities: IdentityCollection, _ reader: inout PlanReader, _ place: Bytes) -> Bytes? {
        guard place.pointee == .openBrace else { return reader.skip(place) }
        return reader.eachMember(place) { reader, _, _, place in
            place.isNull ? place + 4 : value.collect(identities, &reader, place)
        }
    }

    override func make(_ reader: inout PlanReader, _ place: Bytes, _ entry: EntryRef, _ memory: Memory) -> MakeResult {
        guard place.pointee == .openBrace else {
            return .skipped(reader.mismatch(place, entry.pointee.rule, "an object"))
        }
        var values: [Key: Value] = [:]
        /// The keys of values with issues.
        var failed: Set<Key> = []
        let end = reader.eachMember(place) { reader, name, keyPlace, place in
            if skipsNull, place.isNull { return place + 4 }
            guard let key = Key(memberKey: name.text) else {
                reader.note(
                    .invalidValue, at: keyPlace, entry.pointee.rule, "a key of type \(Key.self)", "another key")
                return reader.skip(place)
            }
            return withValueMemory(value.size, value.alignment) { space in
                let result = value.make(&reader, place, entry, space)
                guard result.isMade else {
                    failed.insert(key)
                    return result.end
                }
                let new = space.move(as: Value.self)
                if values.updateValue(new, forKey: key) != nil || !failed.isEmpty && failed.contains(key) {
                    reader.note(
                        .duplicateKey, at: keyPlace, entry.pointee.rule, "unique keys", "a duplicate key")
                }
                return result.end
            }
        }
        guard let end else { return .broken }
        memory.initialize(as: [Key: Value].self, to: values)
        return .made(end)
    }
}

/// A key of an object, for `CodingKeyRepresentable` types.
struct MemberKey: CodingKey {
    let stringValue: String
    var intValue: Int? { Int(stringValue) }

    init(stringValue: String) { self.stringValue = stringValue }
    init(intValue: Int) { stringValue = String(intValue) }
}

extension CodingKeyRepresentable {
    /// Creates a value from a key in its canonical form; `nil` if it cannot be converted.
    init?(memberKey name: String) {
        self.init(codingKey: MemberKey(stringValue: name))
        // Distinct keys such as "1" and "01" must not be equal.
        guard codingKey.stringValue == name else { return nil }
    }
}

extension JSON {
    /// Returns an object whose keys are data, sorted by key.
    static func members<Key: CodingKeyRepresentable, Value>(
        _ values: [Key: Value], _ write: (Value) throws -> JSON
    ) rethrows -> JSON {
        let members = try values.map { (key: $0.codingKey.stringValue, value: try write($1)) }
        return .object(JSONObject(members.sorted { $0.key < $1.key }))
    }
}
