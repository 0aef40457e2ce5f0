extension JSONKind {
    /// What a value of this kind was converted to; nil if that is the kind the type is read from.
    func conversion(to type: Any.Type) -> String? {
        let type = (type as? any WrappingType.Type)?.wrapped ?? type
        let usual: JSONKind? =
            switch type {
            case is String.Type, is Date.Type: .string
            case is Bool.Type: .boolean
            case is any BinaryInteger.Type, is any BinaryFloatingPoint.Type, is Decimal.Type: .number
            case is any ListType.Type: .array
            default: nil
            }
        guard let usual, usual != self else { return nil }
        return (type as? any ListType.Type)?.name ?? "\(type)"
    }
}

/// An optional, whose wrapped type is the one that is read.
private protocol WrappingType { static var wrapped: Any.Type { get } }
extension Optional: WrappingType { fileprivate static var wrapped: Any.Type { Wrapped.self } }

/// A type that is read from an array.
private protocol ListType { static var name: String { get } }
extension Array: ListType { fileprivate static var name: String { "[\(Element.self)]" } }
extension Set: ListType { fileprivate static var name: String { "\(self)" } }
