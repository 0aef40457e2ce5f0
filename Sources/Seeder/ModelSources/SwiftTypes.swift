import ObjectMapping

/// How the generated source calls types: with their module before them where an entity has the same name.
struct SwiftTypes {
    private let own: Set<String>

    /// - Parameter own: The types that the generated source declares.
    init(own: some Sequence<String>) { self.own = Set(own) }

    /// A type of the library, the standard library or Foundation.
    func name(_ type: String) -> String {
        guard own.contains(type) else { return type }
        let module =
            Self.foundation.contains(type) ? "Foundation" : Self.swift.contains(type) ? "Swift" : "ObjectMapping"
        return "\(module).\(type)"
    }

    func name(_ scalar: AttributeType.Scalar) -> String { name(Self.plainName(scalar)) }

    /// Whether a type comes with Foundation.
    static func isOfFoundation(_ scalar: AttributeType.Scalar) -> Bool { foundation.contains(plainName(scalar)) }

    private static func plainName(_ scalar: AttributeType.Scalar) -> String {
        switch scalar {
        case .string: "String"
        case .integer: "Int"
        case .double: "Double"
        case .boolean: "Bool"
        case .date: "Date"
        case .decimal: "Decimal"
        case .uuid: "UUID"
        case .url: "URL"
        case .data: "Data"
        case .json: "JSON"
        }
    }

    private static let foundation: Set<String> = ["Date", "Decimal", "UUID", "URL", "Data"]
    private static let swift: Set<String> = ["String", "Int", "Double", "Bool"]
}
