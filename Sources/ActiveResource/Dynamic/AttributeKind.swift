/// The type of an attribute in the schema of a dynamic resource, by the names of Rails.
///
/// A schema declares names; it does not convert values.
public enum AttributeKind: String, Sendable, Hashable, CaseIterable {
    /// A short text.
    case string
    /// A long text.
    case text
    /// An integer.
    case integer
    /// A floating-point number.
    case float
    /// A decimal number, which Rails writes as a text.
    case decimal
    /// A date with a time.
    case datetime
    /// A date with a time.
    case timestamp
    /// A time of day.
    case time
    /// A date.
    case date
    /// Bytes.
    case binary
    /// A boolean.
    case boolean
}
