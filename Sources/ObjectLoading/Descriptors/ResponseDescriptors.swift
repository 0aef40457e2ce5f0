import MappingDigests
import Synchronization

/// The mappings of a service's responses, by path, method and status.
///
/// ```swift
/// responses.add(Project.mapping, at: "projects", path: "/projects")
/// responses.add(ProjectTask.mapping, path: "/tasks/:id", methods: [.get, .patch])
/// responses.add(error: Problem.mapping, at: "errors", statuses: 400..<500)
/// ```
///
/// All descriptors that match a response are applied in one pass over its body. Paths are relative to the base URL of the
/// client, with or without slashes at their ends: `/tasks/:id` and `tasks/:id` are the same. Of several descriptors for one type
/// at one key path, the one with the most specific path is applied.
public final class ResponseDescriptors: Sendable {
    private struct State {
        var descriptors: [ResponseDescriptor] = []
        /// The numbers of the descriptors by the paths below the base URL of the client.
        var index = PathIndex()
        /// The payload mappings by the descriptors that matched.
        var payloads: [[Int]: PayloadMapping] = [:]
        /// Digests of the mappings by the descriptors that matched.
        var digests: [[Int]: String] = [:]
    }

    /// What only one descriptor of a response maps.
    private struct Subject: Hashable {
        let type: ObjectIdentifier
        let keyPath: String
    }

    private let state = Mutex(State())

    /// Creates a registry without descriptors.
    public init() {}

    /// Adds the mapping of managed objects, which are loaded into the store.
    ///
    /// - Parameters:
    ///   - mapping: The mapping of each object.
    ///   - keyPath: The key path of the objects in the body. Defaults to the body itself.
    ///   - shape: How the objects are arranged: in an array, or as the members of an object. Defaults to `.element`, an array
    ///     or a single object.
    ///   - path: The path with parameters such as `:id`. Defaults to `nil`, any path.
    ///   - methods: The methods of the request. Defaults to `nil`, any method.
    ///   - statuses: The statuses of the response, such as `200...204`. Defaults to 200 to 299.
    ///   - baseURL: The base URL of the response. Defaults to `nil`, that of the client.
    public func add<Object: ManagedObjectClass>(
        _ mapping: Mapping<Object>, at keyPath: JSONKeyPath = "", each shape: ElementShape = .element,
        path: String? = nil, methods: Set<HTTPMethod>? = nil,
        statuses: some RangeExpression<Int> & Sendable = 200..<300, baseURL: URL? = nil
    ) {
        add(
            Root(keyPath, each: shape, mapping), mapping, keyPath, path, methods, statuses.relative(to: 0..<1000),
            baseURL, shape,
            update: { object, value, options throws(MappingError) in
                guard let object = object as? Object else { return }
                try mapping.update(object, from: value, options: options)
            },
            rows: RowLoad(mapping, at: keyPath, each: shape)
        ) {
            // Others may have been deleted during the request.
            .objects(LoadedIDs($0.filter { $0.managed.context != nil }.map(\.managed.id)))
        }
    }

    /// Adds the mapping of models that are not managed; see
    /// `add(_:at:each:path:methods:statuses:baseURL:)` for the parameters.
    @_disfavoredOverload public func add<Model: Sendable>(
        _ mapping: Mapping<Model>, at keyPath: JSONKeyPath = "", each shape: ElementShape = .element,
        path: String? = nil, methods: Set<HTTPMethod>? = nil,
        statuses: some RangeExpression<Int> & Sendable = 200..<300, baseURL: URL? = nil
    ) {
        add(
            Root(keyPath, each: shape, mapping), mapping, keyPath, path, methods, statuses.relative(to: 0..<1000),
            baseURL, shape
        ) { .values($0) }
    }

    /// Adds the mapping of errors: a response to which it applies is thrown as a `MappedRequestError` with the models.
    ///
    /// - Parameters:
    ///   - mapping: The mapping of each error.
    ///   - keyPath: The key path of the errors in the body. Defaults to the body itself.
    ///   - path: The path with parameters such as `:id`. Defaults to `nil`, any path.
    ///   - methods: The methods of the request. Defaults to `nil`, any method.
    ///   - statuses: The statuses of the response, such as `422...422`. Defaults to 400 to 599. Those from 200 to 299 have no
    ///     effect.
    ///   - baseURL: The base URL of the response. Defaults to `nil`, that of the client.
    public func add<Model: Sendable>(
        error mapping: Mapping<Model>, at keyPath: JSONKeyPath = "", path: String? = nil,
        methods: Set<HTTPMethod>? = nil, statuses: some RangeExpression<Int> & Sendable = 400..<600, baseURL: URL? = nil
    ) {
        add(
            Root(keyPath, mapping), mapping, keyPath, path, methods, statuses.relative(to: 0..<1000), baseURL, .element,
            isError: true
        ) {
            .values($0)
        }
    }

    private func add<Model>(
        _ root: Root, _ mapping: Mapping<Model>, _ keyPath: JSONKeyPath, _ path: String?, _ methods: Set<HTTPMethod>?,
        _ statuses: Range<Int>, _ baseURL: URL?, _ shape: ElementShape, isError: Bool = false,
        update: (@Sendable (ManagedObject, JSON, MappingOptions) throws(MappingError) -> Void)? = nil,
        rows: RowLoad? = nil,
        _ models: @escaping @Sendable ([Model]) -> ResponseDescriptor.Models
    ) {
        let descriptor = ResponseDescriptor(
            type: Model.self, keyPath: keyPath, root: root,
            template: path.map(ResponseDescriptor.template),
            methods: MethodSet(methods: methods),
            statuses: statuses, baseURL: baseURL, isError: isError,
            models: { result in result[keyPath].map { models($0.compactMap { $0 as? Model }) } },
            objects: { result in result[keyPath]?.compactMap { ($0 as? Model) as? ManagedObject } },
            outline: { mapping.outline }, update: update, rows: rows,
            isElement: { value in
                guard shape == .element, let members = value.object else { return false }
                let unread = Set((try? mapping.unreadKeys(of: value)) ?? [])
                return members.isEmpty || members.keys.contains { !unread.contains("$.\($0)") }
            })
        state.withLock { state in
            state.index.insert(state.descriptors.count, for: baseURL == nil ? descriptor.template : nil)
            state.descriptors.append(descriptor)
        }
    }

    // MARK: Matching

    /// The descriptors that apply to a response.
    struct Matches: Sendable {
        let descriptors: [ResponseDescriptor]
        let payload: PayloadMapping
        var isManaged: Bool { descriptors.contains(where: \.isManaged) }
        /// The numbers of the descriptors.
        fileprivate let numbers: [Int]
    }

    /// Returns a digest of the mappings of descriptors: another one reads other properties of the same body.
    func digest(of matches: Matches) -> String {
        if let known = state.withLock({ $0.digests[matches.numbers] }) { return known }
        let texts = matches.descriptors.flatMap { ["\($0.type)", $0.keyPath.description] + $0.outline() }
        let digest = SHA256.hex(of: texts.joined(separator: "\0").utf8)
        state.withLock { $0.digests[matches.numbers] = digest }
        return digest
    }

    /// Returns the descriptors that apply to a response.
    ///
    /// - Throws: `LoadError` with the reason of each one if none applies.
    func matches(_ place: ResponseDescriptor.Place, isError: Bool) throws(LoadError) -> Matches {
        let path = place.path(from: nil)
        let (all, candidates) = state.withLock { ($0.descriptors, $0.index.candidates(for: path)) }
        let matching = candidates.sorted().filter { all[$0].isError == isError && all[$0].mismatch(place) == nil }
        // Of those for one type and key path, the most specific one applies: specificity is a total order.
        var best: [Subject: Int] = [:]
        for index in matching where matching.count > 1 {
            let subject = Subject(type: ObjectIdentifier(all[index].type), keyPath: all[index].keyPath.description)
            if let known = best[subject], !all[index].replaces(all[known], isEarlier: false) { continue }
            best[subject] = index
        }
        let found = matching.count > 1 ? best.values.sorted() : matching
        guard !found.isEmpty else {
            let reasons = all.filter { $0.isError == isError }.map { descriptor in
                "\(descriptor.summary): \(descriptor.mismatch(place) ?? "")"
            }
            throw LoadError(noDescriptorFor: place, reasons)
        }
        let descriptors = found.map { all[$0] }
        let payload = state.withLock { state in
            if let known = state.payloads[found] { return known }
            let new = PayloadMapping { for descriptor in descriptors { descriptor.root } }
            state.payloads[found] = new
            return new
        }
        return Matches(descriptors: descriptors, payload: payload, numbers: found)
    }
}
