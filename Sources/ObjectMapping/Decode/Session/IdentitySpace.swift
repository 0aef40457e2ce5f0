/// The models of one kind in a session, by key.
final class IdentitySpace {
    /// A key that was looked up, and its model.
    struct Entry {
        let key: ObjectKey
        /// An object, or a boxed struct; `nil` if there is no model with the key.
        var model: AnyObject?
        /// The position of the model's first appearance, among all models of the session.
        var serial = 0
    }

    let kind: ObjectKind
    /// The index of the space in its session.
    let number: Int
    // Exclusivity unchecked: a space belongs to one session and no access outlasts a call; the checks cost every object.
    @safe @exclusivity(unchecked) private(set) var entries: [Entry] = []
    /// The number of entries without a model.
    @safe @exclusivity(unchecked) private var emptyCount = 0
    @safe @exclusivity(unchecked) private var integers = IntegerTable()
    @safe @exclusivity(unchecked) private var others: [ObjectKey: Int] = [:]
    /// The last integer that was looked up, and its index: usually that of the object created next.
    @safe @exclusivity(unchecked) private var last: (number: Int64, index: Int)?

    init(_ kind: ObjectKind, number: Int) {
        self.kind = kind
        self.number = number
    }

    /// Returns the model with a key; `nil` if the key has no model.
    func model(for key: ObjectKey) -> AnyObject? {
        let index = if case .integer(let number) = key { integers.index(of: number) } else { others[key] }
        return index.flatMap { entries[$0].model }
    }

    /// Returns the index of the entry of a key; adds an entry for a new key.
    func index(of key: ObjectKey) -> Int {
        let new = entries.count
        let index: Int
        if case .integer(let number) = key {
            if let last, last.number == number { return last.index }
            index = integers.index(of: number, adding: new)
            last = (number, index)
        } else {
            index = others[key] ?? new
            if index == new { others[key] = new }
        }
        if index == new {
            entries.append(Entry(key: key))
            emptyCount += 1
        }
        return index
    }

    /// Stores the model of an entry, or removes it.
    @inline(__always) func setModel(_ model: AnyObject?, at index: Int, serial: Int) {
        emptyCount += (model == nil ? 1 : 0) - (entries[index].model == nil ? 1 : 0)
        entries[index].model = model
        entries[index].serial = serial
    }

    /// Removes entries without a model if they are the majority; indexes change.
    func compact() {
        guard emptyCount > 16, emptyCount * 2 > entries.count else { return }
        let kept = entries.filter { $0.model != nil }
        (entries, integers, others, last, emptyCount) = ([], IntegerTable(), [:], nil, 0)
        for entry in kept { setModel(entry.model, at: index(of: entry.key), serial: entry.serial) }
    }
}

/// The models that can be used as those of one kind, and the connections that wait for them.
final class IdentityView {
    let kind: ObjectKind
    @safe @exclusivity(unchecked) private(set) var spaces: [IdentitySpace] = []
    /// By the key of the missing model.
    var waiting: [ObjectKey: [WaitingConnection]] = [:]
    /// The models by other properties than their identity; `nil` before the first use, and for the identity.
    private var models: [ObjectKey: AnyObject]?
    /// The keys of several models.
    private var ambiguous: Set<ObjectKey> = []
    /// The keys of models that were added since the last commit.
    private var arrived: [ObjectKey] = []
    /// The number of the session's changes whose models were added.
    var examinedCount = 0

    init(_ kind: ObjectKind) { self.kind = kind }

    /// Includes a space if its models can be used as those of the kind.
    ///
    /// A subclass can be identified by overridden properties, whose key paths differ.
    func consider(_ space: IdentitySpace) {
        if kind.isMatching || kind.isLike(space.kind), kind.accepts(space.kind.type) { spaces.append(space) }
    }

    func model(for key: ObjectKey) -> AnyObject? {
        if kind.isMatching {
            guard !ambiguous.contains(key), let model = models?[key], kind.key(of: model) == key else { return nil }
            return model
        }
        for space in spaces {
            if let model = space.model(for: key) { return model }
        }
        return nil
    }

    // MARK: Other properties than the identity

    /// Adds all models, unless they were added before; returns whether they were.
    func addAll() -> Bool {
        guard models == nil else { return true }
        models = [:]
        for space in spaces { for entry in space.entries { if let model = entry.model { add(model) } } }
        return false
    }

    /// Adds a new or changed model.
    func add(_ model: AnyObject) {
        guard kind.accepts(type(of: model)), let key = kind.key(of: model) else { return }
        if !waiting.isEmpty { arrived.append(key) }
        if let known = models?[key], known !== model, kind.key(of: known) == key {
            ambiguous.insert(key)
        } else {
            models?[key] = model
        }
    }

    /// Returns the keys of models that were added since the last call.
    func takeArrived() -> [ObjectKey] {
        defer { (arrived, examinedCount) = ([], 0) }
        return arrived
    }

    /// Removes a model that was replaced.
    func remove(_ model: AnyObject) {
        guard let key = kind.key(of: model), models?[key] === model else { return }
        models?[key] = nil
    }

    /// Forgets the models: they are added again at the next use.
    func removeModels() { (models, ambiguous, arrived, examinedCount) = (nil, [], [], 0) }
}

/// A few values for objects, by identity.
///
/// A linear search is faster than the one-time cost of dictionary metadata for such keys.
struct IdentityList<Value> {
    private var elements: [(identity: ObjectIdentifier, value: Value)] = []

    /// The first value that meets a condition.
    func first(where condition: (Value) -> Bool) -> Value? { elements.first { condition($0.value) }?.value }

    func forEach(_ body: (Value) -> Void) { elements.forEach { body($0.value) } }

    /// The value for an object; an existing value is kept.
    subscript(_ identity: ObjectIdentifier) -> Value? {
        get { elements.first { $0.identity == identity }?.value }
        set {
            guard let newValue, !elements.contains(where: { $0.identity == identity }) else { return }
            elements.append((identity, newValue))
        }
    }
}

/// The models of one payload with several types: by type, by key path, or all together.
public struct MappingResult {
    /// The models of one root.
    struct Part {
        let keyPath: JSONKeyPath
        let models: [Any]
        /// The number of elements that are null, which have no models.
        let nullCount: Int
    }

    let parts: [Part]

    /// The key paths with a value, in the order of the roots.
    public var keyPaths: [JSONKeyPath] { parts.map(\.keyPath) }

    /// All models, in the order of the roots and of the payload.
    public var models: [Any] { parts.flatMap(\.models) }

    /// The number of models.
    public var count: Int { parts.reduce(0) { $0 + $1.models.count } }

    /// Whether there are no models.
    public var isEmpty: Bool { parts.allSatisfy(\.models.isEmpty) }

    /// The models of a type, including its subclasses, at all key paths.
    public subscript<Model>(type: Model.Type) -> [Model] {
        parts.flatMap { $0.models.compactMap { $0 as? Model } }
    }

    /// The models at the key path of a root; `nil` if there was no value.
    public subscript(keyPath: JSONKeyPath) -> [Any]? {
        let found = parts.filter { $0.keyPath == keyPath }
        return found.isEmpty ? nil : found.flatMap(\.models)
    }

    /// Returns the number of elements at the key path of a root that are null, which have no models.
    package func nullCount(at keyPath: JSONKeyPath) -> Int {
        parts.reduce(0) { $1.keyPath == keyPath ? max($0, $1.nullCount) : $0 }
    }

    /// Returns the first model of a type; `nil` if no model has this type.
    public func first<Model>(_ type: Model.Type) -> Model? {
        for part in parts {
            for model in part.models {
                if let model = model as? Model { return model }
            }
        }
        return nil
    }
}
