import Dispatch
public import ObjectMapping
import Synchronization

/// A database file of managed objects.
///
/// ```swift
/// let model = try ObjectModel(User.self, Project.self, ProjectTask.self)
/// let store = try await ManagedObjectStore.open(at: url, model: model, seed: seedURL)
/// let names = try await store.perform { context in
///     try context.fetch(ProjectTask.where { $0.name.hasPrefix("Build") }).map(\.name)
/// }
/// ```
///
/// Objects are read and changed in contexts: by ``perform(_:)``, in ``mainContext``, or in an ``ObjectContext`` of an
/// actor. The file is a SQLite database in WAL mode that any SQLite tool can read.
public final class ManagedObjectStore: Sendable {
    /// The entities of the file, with what the classes declare; in the order of the classes, if there are any.
    public let model: ObjectModel
    /// The file; `nil` for a store in memory.
    public let url: URL?

    /// Identifies the file in the IDs of objects.
    let identity: StoreIdentity
    let entities: [StoredEntity]
    private let entityIndex: (byClass: [ObjectIdentifier: StoredEntity], cyclicLists: [[Int]])
    let pool: ConnectionPool
    /// The seed and the options for `reset()`.
    let seed: URL?
    let options: Options
    /// The remote behind the file; `nil` for a store without one.
    let remote: RemoteConnection?
    private let queues = (
        performing: DispatchQueue(label: "MappingKit.ManagedObjectStore"),
        saving: DispatchQueue(label: "MappingKit.ManagedObjectStore.saving"), loads: RunningLoads()
    )
    let main = MainContext()
    let tracer = StoreTracer()
    let commits = CommitLog()
    let signal = CommitSignal()
    private let isKeepingUnsent: Atomic<Bool>

    /// - Parameters:
    ///   - file: The model of the file.
    ///   - declared: The model with which the file is opened. Defaults to that of the file.
    ///   - keepsUnsent: Whether the file has marks of what a server has not accepted yet.
    init(
        _ file: ObjectModel, declared: ObjectModel?, url: URL?, seed: URL?, _ options: Options,
        _ identity: StoreIdentity, _ pool: ConnectionPool, keepsUnsent: Bool, _ remote: RemoteConnection?
    ) {
        let file = declared.map(file.declaring) ?? file
        let model = declared.map(file.ordered(like:)) ?? file
        self.model = model
        self.url = url
        self.seed = seed
        self.options = options
        self.remote = remote
        self.pool = pool
        self.identity = identity
        entities = model.entities.indices.map { StoredEntity($0, of: model, in: file) }
        let byClass = Dictionary(
            entities.map { entity in (entity.type.key, entity) }, uniquingKeysWith: { first, _ in first })
        entityIndex = (byClass, entities.cyclicLists)
        isKeepingUnsent = Atomic(keepsUnsent)
        lookForOtherProcesses()
    }

    deinit { pool.close() }

    /// Closes the file.
    ///
    /// Contexts of the store can no longer read or save. ``mainContext`` keeps the store open until this call.
    public func close() {
        main.close { pool.close() }
        signal.send()
    }

    // MARK: Servers

    /// Whether saves mark what they edit until a server accepts it.
    var keepsUnsent: Bool { isKeepingUnsent.load(ordering: .relaxed) }

    /// Makes saves mark what they edit until a server accepts it: in `_mappingkit_unsent`, also after the file is opened again.
    package func keepUnsent() { isKeepingUnsent.store(true, ordering: .relaxed) }

    // MARK: Contexts

    /// Calls a closure with a new context on a queue of the store.
    ///
    /// Closures run one at a time, in the order of the calls. Unsaved changes of a closure are discarded. Objects must
    /// not leave the closure; return IDs, snapshots or values.
    ///
    /// - Parameter body: The closure.
    /// - Returns: The result of the closure.
    /// - Throws: The error of the closure.
    public func perform<Result: Sendable>(
        _ body: @escaping @Sendable (ObjectContext) throws -> Result
    ) async throws -> Result {
        // The context has ended when the caller continues.
        try await performing { self.result(of: body) }
    }

    /// Calls a closure on another thread.
    func performing<Result: Sendable>(
        _ work: @escaping @Sendable () -> Swift.Result<Result, any Error>
    ) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            queues.performing.async { continuation.resume(with: work()) }
        }
    }

    /// Calls a closure with a new context on the current thread.
    func result<Result>(of body: (ObjectContext) throws -> Result) -> Swift.Result<Result, any Error> {
        let context = ObjectContext(self)
        let result = Swift.Result { try body(context) }
        context.core.reportUnsavedChanges()
        context.reset()
        return result
    }

    /// The context of the main actor.
    ///
    /// Its objects are `Observable`.
    @MainActor public var mainContext: ObjectContext { main.context(of: self) }

    // MARK: Connections

    /// Calls a closure with a reader, for a context that was not closed.
    func read<Result>(
        ifOpenIn core: ContextCore, _ body: (StoreConnection) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        guard core.isOpen else {
            throw StoreError(
                .closed, "the context of the object is gone", advice: "keep the context while its objects are used")
        }
        defer { core.awakeFetched() }
        return try read(body)
    }

    /// Calls a closure with a reader.
    func read<Result>(_ body: (StoreConnection) throws(StoreError) -> Result) throws(StoreError) -> Result {
        try tracer.tracing { (prepare) throws(StoreError) in
            try pool.read { (connection) throws(StoreError) in
                prepare(connection)
                return try checkingTables(of: connection, body)
            }
        }
    }

    /// Calls a closure with the writer.
    ///
    /// - Parameters:
    ///   - waits: Whether to wait for other threads as long as they write.
    ///   - finish: Receives the result before the handler of statements is called. Defaults to nothing.
    @discardableResult func write<Result>(
        waits: Bool = false, _ body: (StoreConnection) throws(StoreError) -> Result,
        finish: (Result) -> Void = { _ in }
    ) throws(StoreError) -> Result {
        try tracer.tracing { (prepare) throws(StoreError) in
            let result = try pool.write(waits: waits) { (connection) throws(StoreError) in
                prepare(connection)
                return try checkingTables(of: connection, body)
            }
            finish(result)
            return result
        }
    }

    /// Calls a closure with the writer on the queue of saves, when no other thread of the process writes.
    func writing<Result: Sendable>(
        _ body: @escaping @Sendable (StoreConnection) throws(StoreError) -> Result
    ) async -> Swift.Result<Result, StoreError> {
        await withCheckedContinuation { continuation in
            savingQueue.async { [self] in
                continuation.resume(
                    returning: Swift.Result { () throws(StoreError) in try write(waits: true, body) })
            }
        }
    }

    // MARK: Entities

    /// The to-many relationships of each entity whose objects can retain each other.
    var cyclicLists: [[Int]] { entityIndex.cyclicLists }

    /// The queue of saves that do not block the thread of their context.
    var savingQueue: DispatchQueue { queues.saving }

    /// The loads that ``reset()`` cancels.
    package var loads: RunningLoads { queues.loads }

    /// Returns the entity of a class; `nil` for a class outside of the model.
    func knownEntity(of type: Any.Type) -> StoredEntity? { entityIndex.byClass[ObjectIdentifier(type)] }

    /// Returns the entity of an object; `nil` for an object of a class outside of the model or of another store.
    func knownEntity(of object: ManagedObject) -> StoredEntity? {
        guard let dynamic = object as? DynamicObject else { return knownEntity(of: type(of: object)) }
        return entityIndex.byClass[dynamic.layout.key]
    }

    /// Returns the entity of an object.
    ///
    /// - Throws: `StoreError` of kind `unknownEntity`.
    func entity(of object: ManagedObject) throws(StoreError) -> StoredEntity {
        if let known = knownEntity(of: object) { return known }
        guard let dynamic = object as? DynamicObject else { return try entity(of: type(of: object)) }
        let name = dynamic.layout.name
        throw name.isEmpty
            ? StoreError(
                .unknownEntity, "an object that was created with DynamicObject() has no entity",
                advice: "use insert(\"Entity\") of the context")
            : StoreError(
                .unknownEntity, "the object of '\(name)' belongs to another store",
                advice: "insert an object with the same values", entity: name)
    }

    /// Returns the entity of a class.
    ///
    /// - Throws: `StoreError` of kind `unknownEntity`.
    func entity(of type: ManagedObject.Type) throws(StoreError) -> StoredEntity {
        guard let entity = knownEntity(of: type) else {
            throw entities.allSatisfy(\.type.isDynamic)
                ? StoreError(
                    .unknownEntity, "the store was opened without classes, and has no objects of the class \(type)",
                    advice: "open it with ObjectModel(\(type).self, …), or use the name of the entity, such as in "
                        + "fetch(\"Entity\")")
                : StoreError(
                    .unknownEntity, "the class \(type) is not part of the store's model",
                    advice: "add it to the model with which the store is opened")
        }
        return entity
    }

    /// Returns the entity with a name.
    ///
    /// - Throws: `StoreError` of kind `unknownEntity` with near names.
    func entity(named name: String) throws(StoreError) -> StoredEntity {
        guard let entity = entities.first(where: { $0.name == name }) else { throw model.unknownEntity(name) }
        return entity
    }

    /// Returns the number of rows of an entity, also in a store without classes.
    ///
    /// - Throws: `StoreError`, of kind `unknownEntity` with a suggestion if the entity does not exist.
    public func count(of entity: String) throws(StoreError) -> Int {
        let table = try model.table(of: entity)
        return try read { (connection) throws(StoreError) in
            Int(try connection.integer("SELECT count(*) FROM \(table)") ?? 0)
        }
    }
}

extension ManagedObjectStore: StoredEntities {}
