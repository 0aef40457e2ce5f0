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
public struct ResourceQuery<Record: Resource>: Sendable {
    /// The values of the prefix parameters.
    public var prefixOptions: [String: String] = [:]
    /// The parameters of the query, sorted by name when they are sent.
    public var parameters: [String: FormValue] = [:]
    /// The location of the records; `nil` for the collection.
    public var source: ResourceSource?
    /// Whether the result is empty without a request.
    var isEmpty = false

    init(prefix: [String: any FormValueConvertible] = [:], from source: ResourceSource? = nil) {
        prefixOptions = prefix.prefixOptions
        self.source = source
    }

    /// Returns the query restricted by further parameters.
    ///
    /// Prefix parameters are added to the prefix options, others to the query; objects are merged deeply.
    public func `where`(_ parameters: [String: any FormValueConvertible]) -> ResourceQuery {
        var copy = self
        let inPrefix = Set(Record.endpoint.prefixParameters)
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

    /// Requests the records.
    ///
    /// - Throws: `ResourceError`, except for status 404, which returns no records.
    public nonisolated(nonsending) func load() async throws(ResourceError) -> ResourcePage<Record> {
        if isEmpty { return ResourcePage([]) }
        let endpoint = Record.endpoint
        let request = try request(endpoint)
        do throws(ResourceError) {
            return try Record.page(of: try await endpoint.send(request), to: request, prefix: prefixOptions)
        } catch { return try page(of: error) }
    }

    /// Requests the records and blocks the thread, for scripts.
    ///
    /// - Throws: `ResourceError`, except for status 404, which returns no records.
    @available(*, noasync, message: "it blocks the thread; await load()")
    public func loadSync() throws(ResourceError) -> ResourcePage<Record> {
        if isEmpty { return ResourcePage([]) }
        let endpoint = Record.endpoint
        let request = try request(endpoint)
        do throws(ResourceError) {
            return try Record.page(of: try endpoint.sendSynchronously(request), to: request, prefix: prefixOptions)
        } catch { return try page(of: error) }
    }

    private func page(of error: ResourceError) throws(ResourceError) -> ResourcePage<Record> {
        guard error.kind == .notFound else { throw error }
        return ResourcePage([], response: error.response)
    }

    private func request(_ endpoint: ResourceEndpoint) throws(ResourceError) -> RESTRequest {
        endpoint.request(.get, try endpoint.path(of: source, prefix: prefixOptions, query: queryValue))
    }

    /// The parameters of the query as fields.
    var queryValue: FormValue { .fields(parameters.map { FormValue.Field(name: $0.key, value: $0.value) }) }
}

extension FormValue {
    /// Merges fields deeply; other values are replaced.
    fileprivate func merged(with other: FormValue) -> FormValue {
        guard case .fields(let old) = self, case .fields(let new) = other else { return other }
        var fields = old
        for field in new {
            if let index = fields.firstIndex(where: { $0.name == field.name }) {
                fields[index].value = fields[index].value.merged(with: field.value)
            } else {
                fields.append(field)
            }
        }
        return .fields(fields)
    }
}
