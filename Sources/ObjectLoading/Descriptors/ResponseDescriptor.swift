/// A mapping, and the responses to which it applies.
struct ResponseDescriptor: Sendable {
    /// The models of a descriptor in a form that can be passed between contexts.
    enum Models: Sendable {
        case objects(LoadedIDs)
        case values([any Sendable])
    }

    /// The mapped type.
    let type: Any.Type
    let keyPath: JSONKeyPath
    let root: Root
    /// The path relative to the base URL; `nil` for any path.
    let template: PathTemplate?
    let methods: MethodSet
    let statuses: Range<Int>
    /// The base URL; `nil` for that of the client.
    let baseURL: URL?
    /// Whether the models describe an error.
    let isError: Bool
    let models: @Sendable (MappingResult) -> Models?
    /// The managed objects; `nil` without a value in the body.
    let objects: @Sendable (MappingResult) -> [ManagedObject]?
    /// The rules of the mapping.
    let outline: @Sendable () -> [String]
    /// Updates an object from a value in a body; `nil` unless it is for managed objects.
    let update: (@Sendable (ManagedObject, JSON, MappingOptions) throws(MappingError) -> Void)?
    /// Writes the objects as rows; `nil` unless they are managed.
    let rows: RowLoad?
    /// Whether a value in a body is an object of the mapping: another one, such as that of an error, has none of its keys.
    let isElement: @Sendable (JSON) -> Bool

    /// Whether the models are managed objects.
    var isManaged: Bool { update != nil }

    /// What a body has at the key path of a descriptor.
    enum Content {
        case absent
        case object(JSON)
        /// A list of one object.
        case single(JSON)
        case other
    }

    /// Returns what a body has at the key path.
    func content(of body: JSON) -> Content {
        let value = body[at: keyPath]
        if !value.exists || value.isNull { return .absent }
        let single = value.array?.count == 1 ? value[0] : value
        guard isElement(single) else { return .other }
        return value.array == nil ? .object(single) : .single(single)
    }

    /// The place of a response: everything that descriptors compare.
    struct Place: Sendable {
        let url: URL
        let method: HTTPMethod
        let status: Int
        /// The base URL of the client.
        let baseURL: URL
        /// The path relative to the base URL of the client; `nil` for another origin or path.
        private let path: String?

        init(url: URL, method: HTTPMethod, status: Int, baseURL: URL) {
            (self.url, self.method, self.status, self.baseURL) = (url, method, status, baseURL)
            path = relativePath(of: url, to: baseURL)
        }

        /// Returns the path relative to a base URL.
        ///
        /// - Parameter base: The base URL; `nil` for that of the client.
        func path(from base: URL?) -> String? { base.map { relativePath(of: url, to: $0) } ?? path }
    }

    /// Returns the reason why the descriptor does not apply to a response; `nil` if it does.
    func mismatch(_ place: Place) -> String? {
        guard let path = place.path(from: baseURL) else {
            return "the base URL is \((baseURL ?? place.baseURL).shown), not that of \(place.url.shown)"
        }
        guard methods.contains(place.method) else {
            return "the method is \(methods.names(separator: " or ")), not \(place.method)"
        }
        guard statuses.contains(place.status) else {
            return "the status is \(statuses.lowerBound) to \(statuses.upperBound - 1), not \(place.status)"
        }
        if let template, template.match(encodedPath: path) == nil {
            return template.defect.map { "the path \(template) is invalid: \($0)" }
                ?? "the path is \(template), not \(path)"
        }
        return nil
    }

    /// The values of the path's parameters in the URL of a response.
    func parameters(in place: Place) -> [String: String] {
        place.path(from: baseURL).flatMap { template?.match(encodedPath: $0) } ?? [:]
    }

    /// Returns the template of a path, with a slash at the start, none at the end and no query, which is not compared.
    static func template(_ path: String) -> PathTemplate {
        let path = path[..<PathTemplate.endOfPath(in: path[...])]
        let text = path.hasPrefix("/") ? String(path) : "/" + path
        return PathTemplate(text.count > 1 && text.hasSuffix("/") ? String(text.dropLast()) : text)
    }

    /// Whether another descriptor for the same responses is not applied, because it has the same type and key path.
    func replaces(_ other: ResponseDescriptor, isEarlier: Bool) -> Bool {
        guard ObjectIdentifier(type) == ObjectIdentifier(other.type), keyPath == other.keyPath else { return false }
        switch (template, other.template) {
        case (let template?, let other?):
            return template.isMoreSpecific(than: other) || isEarlier && !other.isMoreSpecific(than: template)
        case (nil, nil): return isEarlier
        case (_?, nil): return true
        case (nil, _?): return false
        }
    }

    /// The descriptor without its mapping, for messages.
    var summary: String { "\(type)\(keyPath.description.isEmpty ? "" : " at '\(keyPath)'")" }
}

/// Returns the percent-encoded path of a URL below a base URL, with a leading slash; `nil` for other URLs.
///
/// The path of the base URL may have a trailing slash.
func relativePath(of url: URL, to base: URL) -> String? {
    guard url.isSameOrigin(as: base) else { return nil }
    var prefix = base.path(percentEncoded: true)[...]
    while prefix.hasSuffix("/") { prefix.removeLast() }
    let path = url.path(percentEncoded: true)
    guard path.hasPrefix(prefix) else { return nil }
    let rest = path.dropFirst(prefix.count)
    guard rest.isEmpty || rest.hasPrefix("/") else { return nil }
    // A slash at the end makes no difference.
    return rest.count > 1 && rest.hasSuffix("/") ? String(rest.dropLast()) : rest.isEmpty ? "/" : String(rest)
}
