import ObjectMapping

/// The names of types in the generated source, qualified with their module if an entity has the same name.
struct SwiftTypes {
    private let own: Set<String>

    /// - Parameter own: The types that the generated source declares, and members that hide types with the same name.
    init(own: some Sequence<String>) { self.own = Set(own) }

    /// Returns the name of a type of the library, the standard library or Foundation.
    func name(_ type: String) -> String {
        guard own.contains(type) else { return type }
        let modules = [("Foundation", Self.foundation), ("Swift", Self.swift), ("ObjectStore", Self.store)]
        return "\(modules.first { $0.1.contains(type) }?.0 ?? "ObjectMapping").\(type)"
    }

    func name(_ scalar: AttributeType.Scalar) -> String { name(Self.plainName(scalar)) }

    /// Whether a type is declared in Foundation.
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
    private static let store: Set<String> = [
        "ManagedObject", "Stored", "ToOne", "ToMany", "ObjectIndex", "ObjectModel", "ModelError",
    ]
}
