/// A query for records, which are requested on access.
///
/// ```swift
/// let active = Person.all().where(["active": true])
/// let people = try await active.records            // GET /people.json?active=true
/// let first = try await active.first
/// let ann = try await active.firstOrCreate(["name": "Ann"])
/// for try await page in active.pages() { … }
/// ```
///
/// Each access sends a request; store the result.
public struct ResourceQuery<Record>: Sendable {
    /// The values of the prefix parameters.
    public var prefixOptions: [String: String] = [:]
    /// The parameters of the query, sorted by name when they are sent.
    public var parameters: [String: FormValue] = [:]
    /// The location of the records; `nil` for the collection.
    public var source: ResourceSource?
    /// Whether the result is empty without a request.
    var isEmpty = false

    let kind: any RecordKind<Record>

    init(_ kind: any RecordKind<Record>, prefix: [String: String] = [:], from source: ResourceSource? = nil) {
        self.kind = kind
        prefixOptions = prefix
        self.source = source
    }

    /// Returns the query restricted by further parameters.
    ///
    /// Prefix parameters are added to the prefix options, others to the query; objects are merged deeply.
    public func `where`(_ parameters: [String: any FormValueConvertible]) -> ResourceQuery {
        var copy = self
        let inPrefix = Set(kind.endpoint.prefixParameters)
        for (name, value) in parameters {
            let value = value.formValue
            if inPrefix.contains(name), let text = value.plainText {
                copy.prefixOptions[name] = text
            } else {
                copy.parameters[name] = copy.parameters[name]?.merged(with: value) ?? value
            }
        }
        return copy
    }

    /// The records; none if the status is 404.
    public nonisolated(nonsending) var records: [Record] {
        get async throws(ResourceError) { try await load().records }
    }

    /// The first record; `nil` if there are no records.
    ///
    /// All records are requested.
    public nonisolated(nonsending) var first: Record? {
        get async throws(ResourceError) { try await load().records.first }
    }

    /// The last record; `nil` if there are no records.
    ///
    /// All records are requested.
    public nonisolated(nonsending) var last: Record? {
        get async throws(ResourceError) { try await load().records.last }
    }

    /// Whether there are records.
    ///
    /// All records are requested.
    public nonisolated(nonsending) var exists: Bool {
        get async throws(ResourceError) {
            let page = try await load()
            return !page.isEmpty
        }
    }

    /// The number of records in the response; `totalCount` of the page is that of all pages.
    ///
    /// All records are requested.
    public nonisolated(nonsending) var count: Int {
        get async throws(ResourceError) { try await load().count }
    }

    /// Requests the records.
    ///
    /// - Throws: `ResourceError`, except for status 404, which returns no records.
    public nonisolated(nonsending) func load() async throws(ResourceError) -> ResourcePage<Record> {
        if isEmpty { return ResourcePage([]) }
        do throws(ResourceError) { return try await requested() } catch {
            guard error.kind == .notFound else { throw error }
            kind.endpoint.logEmptyList(for: error)
            return ResourcePage([], response: error.response)
        }
    }

    /// Requests the records.
    ///
    /// - Throws: `ResourceError`, also for status 404.
    nonisolated(nonsending) func requested() async throws(ResourceError) -> ResourcePage<Record> {
        let endpoint = kind.endpoint
        let path = try endpoint.path(of: source, prefix: prefixOptions, query: queryValue)
        let request = endpoint.request(.get, path)
        return try kind.page(of: try await endpoint.send(request), to: request, prefix: prefixOptions)
    }

    /// The parameters of the query as fields.
    var queryValue: FormValue { .fields(parameters.map { FormValue.Field(name: $0.key, value: $0.value) }) }
}

extension FormValue {
    /// Merges fields deeply; other values, and those too deep to be sent, are replaced.
    fileprivate func merged(with other: FormValue, depth: Int = 0) -> FormValue {
        guard depth <= Self.depthLimit, case .fields(let old) = self, case .fields(let new) = other else {
            return other
        }
        var fields = old
        for field in new {
            if let index = fields.firstIndex(where: { $0.name == field.name }) {
                fields[index].value = fields[index].value.merged(with: field.value, depth: depth + 1)
            } else {
                fields.append(field)
            }
        }
        return .fields(fields)
    }
}
