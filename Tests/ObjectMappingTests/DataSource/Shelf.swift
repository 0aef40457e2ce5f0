import ObjectMapping

/// A data source that records its calls, and fails on request of a test.
final class Shelf: MappingDataSource {
    struct Failure: Error {}

    var requiresIdentity = true
    var objects: [ObjectKey: AnyObject] = [:]
    private(set) var log: [String] = []
    /// The call that throws, such as "find 2".
    var failing: String?
    /// The object that is returned for every key.
    var impostor: AnyObject?
    private var changes: [() -> Void] = []
    private var order = 0

    private func note(_ call: String) throws {
        log.append(call)
        if call == failing { throw Failure() }
    }

    /// The calls since the last call of this.
    func take() -> [String] {
        defer { log = [] }
        return log
    }

    private func text(_ key: ObjectKey?) -> String {
        guard let key else { return "nil" }
        return key.parts.map { part in
            switch part {
            case .integer(let value): "\(value)"
            case .string(let value): value
            default: "\(part)"
            }
        }.joined(separator: ",")
    }

    func begin() throws { try note("begin") }
    func end() { log.append("end") }

    func find(_ key: ObjectKey, of kind: ObjectKind) throws -> AnyObject? {
        try note("find \(text(key))")
        return impostor ?? objects[key]
    }

    func add(_ object: AnyObject, _ key: ObjectKey?, of kind: ObjectKind, order: Int) throws {
        try note("add \(text(key))")
        guard let key else { return }
        objects[key] = object
        changes.append { self.objects[key] = nil }
    }

    func nextOrder() -> Int {
        order += 1
        return order
    }

    func willUpdate(
        _ object: AnyObject, of kind: ObjectKind, isNewer: Bool, keepState: () -> () -> Void
    ) throws -> Bool {
        try note(isNewer ? "update" : "skip")
        changes.append(keepState())
        return isNewer
    }

    func didUpdate(_ object: AnyObject, of kind: ObjectKind, _ change: IdentityChange) throws {
        try note("updated \(text(change.old)) -> \(text(change.new))")
    }

    func didReplace(_ old: [AnyObject], in object: AnyObject, at property: AnyKeyPath) throws {
        try note("replaced \(old.count)")
    }

    func connect(_ object: AnyObject, _ connection: ObjectConnection, _ keys: [ObjectKey]?) throws {
        try note("connect \(connection.name) \(keys.map { $0.map(text).joined(separator: " ") } ?? "nil")")
        let targets = keys?.compactMap { objects[$0] }
        connection.assign(targets, to: object)
    }

    func savepoint() -> Int { changes.count }

    func rollback(to savepoint: Int) {
        log.append("rollback")
        while changes.count > savepoint { changes.removeLast()() }
    }

    func commit() throws {
        try note("commit")
        changes = []
    }
}

extension Mapping {
    /// Maps models of a payload into a data source.
    func all(
        _ payload: some JSONInput, _ source: any MappingDataSource, _ policy: MappingReport.Policy = .fail,
        each shape: ElementShape = .element
    ) throws(MappingError) -> [Model] {
        var report = MappingReport(policy: policy)
        return try mapAll(payload, each: shape, dataSource: source, parallel: nil, report: &report)
    }
}
