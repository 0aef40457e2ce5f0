/// The models of one kind that a session knows, by their keys.
final class IdentitySpace {
    struct Entry {
        /// An object, or a boxed struct.
        var model: AnyObject
        /// Where the model appeared first, among all models of the session.
        let serial: Int
    }

    let kind: ObjectKind
    // Exclusivity unchecked: a space belongs to one session and no access outlasts a call; the checks cost every object.
    /// Those whose keys are integers, which most are: such a dictionary is several times as fast as one of all keys.
    @safe @exclusivity(unchecked) private var integers: [Int64: Entry] = [:]
    @safe @exclusivity(unchecked) private var others: [ObjectKey: Entry] = [:]

    init(_ kind: ObjectKind) { self.kind = kind }

    var entries: [Entry] { Array(integers.values) + Array(others.values) }

    /// The entry of a key; nil for none.
    subscript(key: ObjectKey) -> Entry? {
        get { if case .integer(let number) = key { integers[number] } else { others[key] } }
        set { if case .integer(let number) = key { integers[number] = newValue } else { others[key] = newValue } }
    }

    /// Stores an entry; returns the one that it replaces.
    func update(_ entry: Entry, for key: ObjectKey) -> Entry? {
        if case .integer(let number) = key { return integers.updateValue(entry, forKey: number) }
        return others.updateValue(entry, forKey: key)
    }
}

/// The models that may stand for those of one kind, and the connections that wait for some.
final class IdentityView {
    let kind: ObjectKind
    @safe @exclusivity(unchecked) private(set) var spaces: [IdentitySpace] = []
    /// By the key of the model that is waited for.
    var waiting: [ObjectKey: [WaitingConnection]] = [:]

    init(_ kind: ObjectKind) { self.kind = kind }

    /// Takes a space in, if its models may stand for those of the kind.
    ///
    /// A subclass may be told apart by properties that it overrides: they have key paths of their own.
    func consider(_ space: IdentitySpace) {
        if kind.isLike(space.kind), kind.accepts(space.kind.type) { spaces.append(space) }
    }

    func model(for key: ObjectKey) -> AnyObject? {
        for space in spaces {
            if let entry = space[key] { return entry.model }
        }
        return nil
    }
}

/// Values for objects, by their identity: few of them.
///
/// To look at each costs less than what the runtime has to make, once, of a dictionary with such keys.
struct IdentityList<Value> {
    private var elements: [(identity: ObjectIdentifier, value: Value)] = []

    /// The first value that meets a condition.
    func first(where condition: (Value) -> Bool) -> Value? { elements.first { condition($0.value) }?.value }

    func forEach(_ body: (Value) -> Void) { elements.forEach { body($0.value) } }

    /// The value for an object; one that has a value keeps it.
    subscript(_ identity: ObjectIdentifier) -> Value? {
        get { elements.first { $0.identity == identity }?.value }
        set {
            guard let newValue, !elements.contains(where: { $0.identity == identity }) else { return }
            elements.append((identity, newValue))
        }
    }
}

/// The models of one payload, of several types: by type, by key path, or all together.
public struct MappingResult {
    /// What came of one root.
    struct Part {
        let keyPath: JSONKeyPath
        let models: [Any]
    }

    let parts: [Part]

    /// The key paths at which something stood, in the order of the roots.
    public var keyPaths: [JSONKeyPath] { parts.map(\.keyPath) }

    /// All models, in the order of the roots and of the payload.
    public var models: [Any] { parts.flatMap(\.models) }

    /// How many models there are.
    public var count: Int { parts.reduce(0) { $0 + $1.models.count } }

    /// Whether there are none.
    public var isEmpty: Bool { parts.allSatisfy(\.models.isEmpty) }

    /// The models of a type, those of its subclasses too, from wherever they stood.
    public subscript<Model>(type: Model.Type) -> [Model] {
        parts.flatMap { $0.models.compactMap { $0 as? Model } }
    }

    /// The models that stood at the key path of a root; nil if nothing stood there.
    public subscript(keyPath: JSONKeyPath) -> [Any]? {
        let found = parts.filter { $0.keyPath == keyPath }
        return found.isEmpty ? nil : found.flatMap(\.models)
    }

    /// The first model of a type; nil if there is none.
    public func first<Model>(_ type: Model.Type) -> Model? {
        for part in parts {
            for model in part.models {
                if let model = model as? Model { return model }
            }
        }
        return nil
    }
}
