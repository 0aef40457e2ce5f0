import ObjectMapping

/// A value for a property whose type is known at run time only.
struct AnyValue {
    /// The value; `nil` for optionals without a value.
    let value: Any?

    init(_ value: Any?) { self.value = value.flatMap { ($0 as? any OptionalContent).map(\.unwrapped) ?? $0 } }

    /// Returns the stored form of the value in an attribute of a type, if nothing is lost; `nil` for other values.
    func stored(as type: AttributeType) -> StoredValue? {
        guard let value else { return .null }
        let raw = (value as? any RawRepresentable).map { $0.rawValue as Any } ?? value
        if type == AttributeType(.json) {
            return Self.isFinite(raw) ? (raw as? any JSONConvertible)?.json.storedValue : nil
        }
        guard let attribute = raw as? any AttributeValue else { return nil }
        let (stored, own) = (attribute.storedValue, Swift.type(of: attribute).attributeType)
        if own == type { return stored }
        switch (own.scalar, type.scalar, stored) {
        case _ where own.isList || type.isList: return nil
        case (.integer, .double, .integer(let number)):
            let double = Double(number)
            return Int64(exactly: double) == number ? .real(double) : nil
        case (.integer, .decimal, .integer(let number)): return .text(String(number))
        default: return nil
        }
    }

    /// Whether all numbers in a value have a form in JSON: NaN and infinity would become null.
    private static func isFinite(_ value: Any) -> Bool {
        switch value {
        case let number as Double: number.isFinite
        case let number as Float: number.isFinite
        case let number as Decimal: !number.isNaN
        case let list as [Any]: list.allSatisfy(isFinite)
        case let members as [String: Any]: members.values.allSatisfy(isFinite)
        default: true
        }
    }

    /// The type of the value, for messages.
    var typeName: String {
        guard let value else { return "nil" }
        return (value as? ManagedObject)?.managedClass.map { "an object of '\($0.name)'" } ?? "\(type(of: value))"
    }
}

/// An optional value, or a list of optional values.
protocol OptionalContent {
    /// The value without optionals; `nil` for null. A list that contains null keeps its type.
    var unwrapped: Any? { get }
}

extension Optional: OptionalContent {
    var unwrapped: Any? { flatMap { ($0 as? any OptionalContent).map(\.unwrapped) ?? $0 } }
}

extension Array: OptionalContent where Element: OptionalElement {
    var unwrapped: Any? { Element.unwrapped(self) }
}

/// An element of a list that can be null.
protocol OptionalElement {
    static func unwrapped(_ list: [Self]) -> Any
}

extension Optional: OptionalElement {
    static func unwrapped(_ list: [Wrapped?]) -> Any {
        let values = list.compactMap(\.self)
        return values.count == list.count ? values : list
    }
}
