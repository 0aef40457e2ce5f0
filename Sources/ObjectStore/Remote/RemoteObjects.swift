public import ObjectMapping

/// Objects that a remote returns: a payload and its mapping.
public struct RemoteObjects: Sendable {
    /// The parts of a fetch that a remote can evaluate.
    public enum Part: Sendable, Hashable {
        /// The conditions.
        case conditions
        /// The order.
        case order
        /// The limit and the offset.
        case range
    }

    /// Whether these are all objects of the fetch, so that others can be removed from the file.
    public var isComplete = false
    /// Identifies the state of the remote from which the objects are, such as an `ETag`; `nil` if it has none.
    ///
    /// The next equal fetch has it as ``RemoteFetch/knownVersion``, also after the file was opened again.
    public var version: String?
    /// The parts of the fetch that were evaluated.
    public private(set) var evaluated: Set<Part> = []

    /// Whether the file has the objects.
    private(set) var isUnchanged = false
    /// The number of objects that the pages of a list promise; `nil` if they promise none.
    package var expectedCount: Int?
    /// Whether the loaded payload lacked objects, or had some that are not valid.
    package var hasDefect: @Sendable () -> Bool = { false }
    /// The identity of a new object whose values do not contain it, by attribute.
    package var identity: [String: String] = [:]
    /// The payloads as rows, if their objects need not be created; empty otherwise.
    package var rows: [RowContent] = []
    /// Maps the objects into a context.
    let load: @Sendable (ObjectContext) throws -> [ManagedObject]
    /// Maps a single object onto one that exists.
    let update: @Sendable (ManagedObject, ObjectContext) throws -> Void

    /// Creates objects of a payload.
    ///
    /// - Parameters:
    ///   - payload: `Data`, `[UInt8]`, `String` or `JSON`.
    ///   - mapping: The mapping of the objects.
    ///   - keyPath: The key path of the objects in the payload. Defaults to the payload itself.
    ///   - shape: How the objects are arranged. Defaults to `.element`, an array or a single object.
    ///   - isComplete: Whether these are all objects of the fetch. Defaults to `false`.
    public init<Object: ManagedObjectClass>(
        _ payload: some JSONInput & Sendable, with mapping: Mapping<Object>, at keyPath: JSONKeyPath = "",
        each shape: ElementShape = .element, isComplete: Bool = false
    ) {
        self.init(
            load: { try $0.map(payload, with: mapping, at: keyPath, each: shape) },
            update: { object, _ in
                guard let object = object as? Object else {
                    throw RemoteError(
                        .invalidResult,
                        "expected the values of \(object.debugDescription), found a mapping of \(Object.self)")
                }
                let value = try JSON(payload)[at: keyPath]
                try mapping.update(object, from: value.array?.count == 1 ? value[0] : value)
            })
        self.isComplete = isComplete
        // Elements of other shapes cannot be null.
        hasDefect = {
            guard shape == .element else { return false }
            guard let value = try? JSON(payload)[at: keyPath] else { return true }
            return (value.array ?? [value]).contains(where: \.isNull)
        }
        if let text = payload as? Data { rows = [RowContent(text, [RowLoad(mapping, at: keyPath, each: shape)])] }
    }

    /// - Parameters:
    ///   - load: Maps the objects into a context.
    ///   - update: Maps a single object onto one that exists.
    package init(
        load: @escaping @Sendable (ObjectContext) throws -> [ManagedObject],
        update: @escaping @Sendable (ManagedObject, ObjectContext) throws -> Void
    ) {
        self.load = load
        self.update = update
    }

    /// No objects.
    ///
    /// - Parameter isComplete: Whether the remote has none. Defaults to `true`.
    public static func none(isComplete: Bool = true) -> RemoteObjects {
        var none = RemoteObjects(load: { _ in [] }, update: { _, _ in })
        none.isComplete = isComplete
        return none
    }

    /// The answer to a fetch whose ``RemoteFetch/knownVersion`` is current: the objects are in the file already.
    ///
    /// Such an answer removes no objects.
    public static var unchanged: RemoteObjects {
        var unchanged = RemoteObjects.none(isComplete: false)
        unchanged.isUnchanged = true
        return unchanged
    }

    /// Returns the objects with the parts of the fetch that the remote has evaluated.
    ///
    /// Conditions are evaluated again by the file in any case. If the remote has evaluated the range, the result of the
    /// fetch has only objects of this answer; in the order of the answer if the fetch has no order.
    public func evaluates(_ parts: Set<Part>) -> RemoteObjects {
        var copy = self
        copy.evaluated = parts
        return copy
    }

    /// Whether these are all objects of a fetch, also by the number that their pages promise.
    func isComplete(with ids: [ObjectID]) -> Bool { defect(with: ids) == nil }

    /// The reason why these are not all objects of a fetch; `nil` if they are.
    func defect(with ids: [ObjectID]) -> String? {
        if !isComplete { return "the remote does not declare it as complete" }
        if hasDefect() { return "it has no elements, null elements, or elements that are not valid" }
        guard let expectedCount, expectedCount != Set(ids).count else { return nil }
        return "its pages have \(Set(ids).count) objects, and promise \(expectedCount)"
    }

    /// Whether the result of a fetch with a limit or offset has these objects only.
    func decidesRange(of fetch: RemoteFetch) -> Bool {
        evaluated.contains(.range) && (fetch.limit != nil || fetch.offset > 0)
            && (fetch.condition == .always || evaluated.contains(.conditions))
            && (fetch.order.isEmpty || evaluated.contains(.order))
    }
}
