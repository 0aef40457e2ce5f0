import Observation

/// Reports reads and changes of an object to observers.
final class ObjectObserver {
    // First: its offset is known, unlike that of a property after a type of a library.
    private let properties: ObservedProperties
    private let registrar = ObservationRegistrar()

    init(_ properties: ObservedProperties) { self.properties = properties }

    var offsets: [Int] { properties.offsets }

    /// Whether a property of the object may have observers.
    var mayHaveObservers: Bool { properties.haveObservers }

    func willRead(_ object: ManagedObject, at offset: Int) {
        properties.use(at: offset) { registrar.access(object, keyPath: $0) }
    }

    // One closure for both: the compiler would merge two with that of reads, which would take longer.
    func report(_ change: Change, of object: ManagedObject, at offset: Int) {
        properties.use(at: offset) { path in
            switch change {
            case .imminent: registrar.willSet(object, keyPath: path)
            case .completed: registrar.didSet(object, keyPath: path)
            }
        }
    }

    enum Change { case imminent, completed }
}

/// Represents the properties of a class for observers, by one key path each.
///
/// The key path of a property itself is only known to the caller. Creating or retaining a key path takes longer than
/// the rest of an access.
final class ObservedProperties: @unchecked Sendable {  // guarded by the main actor, whose objects alone are observed
    /// The key paths by offset; `nil` in between.
    private let uncounted: [Uncounted<KeyPath<ManagedObject, Int>>?]
    // Exclusivity unchecked: it never changes, but has to be passed `inout` to check its references.
    /// The only references to the key paths, except for those of observers.
    @safe @exclusivity(unchecked) private var paths: [KeyPath<ManagedObject, Int>]

    init(_ offsets: some Collection<Int>) {
        let known = Dictionary(uniqueKeysWithValues: offsets.map { ($0, ManagedObject.observed(at: $0)) })
        uncounted = (0...(offsets.max() ?? 0)).map { known[$0].map(Uncounted.init) }
        paths = Array(known.values)
    }

    /// Calls a closure with the key path that identifies the property at an offset for observers.
    @inline(__always) func use(at offset: Int, _ body: (KeyPath<ManagedObject, Int>) -> Void) {
        if uncounted.indices.contains(offset) { uncounted[offset]?.use(body) }
    }

    /// The offsets of the properties.
    var offsets: [Int] { uncounted.indices.filter { uncounted[$0] != nil } }

    /// Whether any object of the class may have observers.
    ///
    /// A registrar finds the observers of a property by its key path, which they retain until they are removed.
    var haveObservers: Bool {
        paths.indices.contains { !isKnownUniquelyReferenced(&paths[$0]) }
    }

    /// Whether a property of any object of the class may have observers.
    func haveObservers(at offset: Int) -> Bool {
        var index: Int?
        use(at: offset) { path in index = paths.firstIndex { $0 === path } }
        return index.map { !isKnownUniquelyReferenced(&paths[$0]) } ?? false
    }
}

extension ManagedObject {
    fileprivate subscript(observed offset: Int) -> Int { offset }

    /// Returns a key path that identifies the property at an offset for observers.
    ///
    /// It captures the offset, so every call creates a new object, whose references can be counted.
    fileprivate static func observed(at offset: Int) -> KeyPath<ManagedObject, Int> { \.[observed: offset] }
}
