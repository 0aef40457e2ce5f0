public import ObjectMapping

/// An attribute of an entity: a column of its table.
public struct AttributeDescription: Sendable, Hashable {
    /// The name of the attribute and of its column.
    public var name: String
    /// The type of its values, which determines the column's type.
    public var type: AttributeType
    /// Whether the value can be NULL.
    public var isOptional: Bool
    /// The default value if the key is absent, as JSON of the attribute's type; `nil` if there is no default.
    ///
    /// An explicit null is stored as NULL.
    public var defaultValue: JSON?
    /// The names in earlier versions of the model, the latest one first; empty if it was not renamed.
    public var formerNames: [String]
    /// Whether queries search by the attribute: its column has an index in files of an app, but not in seeds.
    public var isIndexed: Bool
    /// Whether two objects cannot have the same value: its column has a unique index in files of an app, and in seeds if
    /// keys are compared with it.
    public var isUnique: Bool
    /// Whether the text can be found by `search(_:)` of queries: the file has a full-text index.
    public var isSearchable: Bool

    /// Creates an attribute.
    ///
    /// - Parameters:
    ///   - name: The name of the attribute and of its column.
    ///   - type: The type of its values, such as `AttributeType(.date)`.
    ///   - isOptional: Whether the value can be missing. Defaults to `true`.
    ///   - defaultValue: The value for data without the attribute, in JSON of the type. Defaults to `nil`.
    ///   - formerNames: The names in earlier versions of the model. Defaults to none.
    ///   - isIndexed: Whether queries search by the attribute. Defaults to `false`.
    ///   - isUnique: Whether two objects cannot have the same value. Defaults to `false`.
    ///   - isSearchable: Whether the file has a full-text index of the values, which are strings. Defaults to `false`.
    public init(
        _ name: String, _ type: AttributeType, isOptional: Bool = true, defaultValue: JSON? = nil,
        formerNames: [String] = [], isIndexed: Bool = false, isUnique: Bool = false, isSearchable: Bool = false
    ) {
        self.name = name
        self.type = type
        self.isOptional = isOptional
        self.defaultValue = defaultValue
        self.formerNames = formerNames
        self.isIndexed = isIndexed
        self.isUnique = isUnique
        self.isSearchable = isSearchable
    }

    /// The latest of the former names; `nil` if it was not renamed.
    public var formerName: String? {
        get { formerNames.first }
        set { formerNames = newValue.map { [$0] } ?? [] }
    }
}
