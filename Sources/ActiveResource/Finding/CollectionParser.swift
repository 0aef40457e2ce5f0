/// Extracts the records of a list, and further data, from the body of a response.
///
/// ```swift
/// // { "status": "ok", "data": { "people": [ … ] }, "total": 12 }
/// static let collectionParser = CollectionParser(recordsAt: "data.people")
/// ```
///
/// The complete body is ``ResourcePage/data``.
public struct CollectionParser: Sendable {
    let records: (@Sendable (JSON) throws -> JSON)?

    /// Creates a parser for a body that is the list of records, with or without a root.
    public init() { records = nil }

    /// Creates a parser for records at a key path of the body.
    public init(recordsAt keyPath: JSONKeyPath) { records = { $0[at: keyPath] } }

    /// Creates a parser with a function, which returns an array of objects for a body.
    public init(_ records: @escaping @Sendable (JSON) throws -> JSON) { self.records = records }
}
