/// Takes the records of a list, and what else the list says, out of the body of a response.
///
/// ```swift
/// // { "status": "ok", "data": { "people": [ … ] }, "total": 12 }
/// static let collectionParser = CollectionParser(recordsAt: "data.people")
/// ```
///
/// The complete body is ``ResourcePage/data``.
public struct CollectionParser: Sendable {
    let records: (@Sendable (JSON) throws -> JSON)?

    /// The records are the body, without a root.
    public init() { records = nil }

    /// The records are at a key path of the body.
    public init(recordsAt keyPath: JSONKeyPath) { records = { $0[at: keyPath] } }

    /// The records are what a function makes of the body: an array of objects.
    public init(_ records: @escaping @Sendable (JSON) throws -> JSON) { self.records = records }
}
