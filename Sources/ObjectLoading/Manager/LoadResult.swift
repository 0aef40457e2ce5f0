/// The objects and values of a response.
///
/// ```swift
/// let result = try await manager.load("/projects")
/// let projects = try result.objects(of: Project.self, in: context)
/// ```
public struct LoadResult: Sendable {
    /// The models of a response descriptor.
    struct Part: Sendable {
        let keyPath: JSONKeyPath
        let models: ResponseDescriptor.Models
        /// The number of elements that are null, which have no models.
        var nullCount = 0
    }

    /// The outcome of `post` or `patch` for the object that was sent.
    public enum Outcome: Sendable, Hashable {
        /// It was saved with the response, or no object was sent.
        case saved
        /// It was deleted during the request, and remains deleted; the response was not loaded.
        case deleted
        /// It was detached, because its context has another object with the identity in the response.
        case replaced(by: ObjectID)
        /// It was saved, but the response has no identity, so that its path is unknown. It counts as sent.
        ///
        /// A later load that contains it creates another object. Delete this one before, if the server has accepted it.
        case savedWithoutIdentity
        /// It has no changes to send, and no request was sent: the result of `patch` for an object that the server has.
        case unchanged
    }

    let parts: [Part]
    /// The outcome of `post` or `patch` for the object that was sent; ``Outcome/saved`` by default.
    public internal(set) var outcome = Outcome.saved
    /// The position of the next page, for a page of ``ObjectManager/pages(_:_:query:headers:from:owner:pruning:policy:)``; `nil` for
    /// the last page, and for other loads.
    public internal(set) var nextPage: PagePosition?
    /// The rows of the response, for a pruning; `nil` if it was not requested.
    var answer: LoadedAnswer?
    /// Whether these are the objects of the store, which a policy returned without a response.
    public internal(set) var isLocal = false
    /// The reason why the server could not be reached, so that these are the objects of the store; otherwise `nil`.
    public internal(set) var remoteError: MappedRequestError?
    /// What was pruned; `nil` if no pruning was requested.
    public internal(set) var pruning: PruningReport?
    /// The response; for stored objects (``isLocal``), and without a request, one with status 0.
    public let response: RESTResponse
    /// The issues and the rejected elements of the body, with a policy other than `.fail`.
    public let report: MappingReport

    /// The key paths with a value in the body, in the order of the response descriptors.
    public var keyPaths: [JSONKeyPath] { parts.map(\.keyPath) }

    /// Whether the server confirmed with status 304 that the objects in the store, or a cached response, are current.
    public var isNotModified: Bool { response.isRevalidated || response.isNotModified }

    /// The IDs of all managed objects at the key paths, in the order of the body.
    public var objectIDs: [ObjectID] { managed.flatMap(\.all) }

    /// The lists of managed objects at the key paths.
    var managed: [LoadedIDs] {
        parts.compactMap { part in if case .objects(let ids) = part.models { ids } else { nil } }
    }

    /// The objects that were deleted because a complete response did not have them; empty unless pruning was requested.
    ///
    /// In a dry run, these are the objects that would have been deleted.
    public var deleted: [ObjectID] { pruning?.deleted ?? [] }

    /// Returns the managed objects of a class in a context.
    ///
    /// An object that was deleted since is left out.
    ///
    /// - Parameters:
    ///   - type: The class.
    ///   - context: The context.
    /// - Throws: `StoreError` if the objects cannot be read.
    public func objects<Object: ManagedObjectClass>(
        of type: Object.Type, in context: ObjectContext
    ) throws(StoreError) -> [Object] {
        try context.objects(in: managed, as: type)
    }

    /// Returns the models of a type that is not managed, in the order of the body.
    public func values<Value>(of type: Value.Type) -> [Value] {
        parts.flatMap { part in
            if case .values(let values) = part.models { values.compactMap { $0 as? Value } } else { [] as [Value] }
        }
    }
}

extension LoadResult: CustomStringConvertible, CustomReflectable {
    /// The response, or that the objects are stored, and the numbers of objects and values, without the values.
    public var description: String {
        let values = parts.reduce(0) { count, part in
            if case .values(let values) = part.models { count + values.count } else { count }
        }
        let source = isLocal ? "stored objects of \(response.url.shown)" : "\(response)"
        return "\(source): \(managed.reduce(0) { $0 + $1.count }) objects, \(values) values"
    }

    /// The response, the IDs of the objects and the report, without the values.
    public var customMirror: Mirror {
        Mirror(self, children: ["response": response, "objectIDs": objectIDs, "report": report])
    }
}

extension LoadResult {
    /// Creates the result of a request that was not sent, because there is nothing to send.
    init(unsentTo request: RESTRequest) {
        let url = request.url ?? URL(filePath: "/")
        let response = RESTResponse(status: 0, headers: HTTPHeaders(), body: Data(), url: url, attempts: 0)
        self.init(parts: [], response: response, report: MappingReport())
        outcome = .unchanged
    }
}
