public import ObjectMapping

/// An attribute of an entity: a column of its table.
public struct AttributeDescription: Sendable, Hashable {
    /// The name of the attribute and of its column.
    public var name: String
    /// What its values are; decides the column's type.
    public var type: AttributeType
    /// Whether an object may be without it.
    public var isOptional: Bool
    /// The value of an object whose data do not mention it, in JSON of the attribute's type; nil for null.
    ///
    /// A null in the data is a null, not the default.
    public var defaultValue: JSON?

    /// An attribute, optional and without a default unless said otherwise.
    ///
    /// - Parameters:
    ///   - name: The name of the attribute and of its column.
    ///   - type: What its values are, as `AttributeType(.date)`.
    ///   - isOptional: Whether an object may be without it.
    ///   - defaultValue: The value of an object whose data do not mention it, in JSON of the type.
    public init(_ name: String, _ type: AttributeType, isOptional: Bool = true, defaultValue: JSON? = nil) {
        self.name = name
        self.type = type
        self.isOptional = isOptional
        self.defaultValue = defaultValue
    }
}
