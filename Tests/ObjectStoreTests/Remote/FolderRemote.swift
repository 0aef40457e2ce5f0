import Foundation
import ObjectMapping
import ObjectStore
import Synchronization
import TestSupport

/// Writers and their novels, which a remote has, and drafts, which only the file has.
final class Poet: ManagedObject, Mappable {
    @Stored(.identity) var id = 0
    @Stored var name = ""
    @ToMany(inverse: \Poem.writer, deleteRule: .cascade) var novels: [Poem]

    static let mapping = Mapping(Poet.self) {
        Attribute("id", \.id)
        Attribute("name", \.name)
    }
}

final class Poem: ManagedObject, Mappable {
    @Stored(.identity) var id = 0
    @Stored var title = ""
    @Stored var writerID: Int? = nil
    @ToOne var writer: Poet?
    @ToOne var sequel: Poem?

    static let mapping = Mapping(Poem.self) {
        Attribute("id", \.id)
        Attribute("title", \.title)
        Attribute("writer_id", \.writerID)
        Connection(\.writer, by: \.writerID)
    }
}

final class Scrap: ManagedObject {
    @Stored var text = ""
    @ToOne var novel: Poem?
}

/// A remote that is a folder with a JSON file for each object, and that can be told to fail.
final class FolderRemote: IncrementalStore {
    /// What a call does instead of its work.
    enum Fault: Sendable {
        case error(RemoteError)
        case refusal(RemoteRefusal)
        case conflict(RemoteRefusal)
        /// The change is saved, and the answer is lost.
        case lostAnswer
        /// The call waits until its task is cancelled.
        case silence
    }

    let folder: TemporaryDirectory
    private let identifier: String
    private let acceptsKeys: Bool
    private let canFind: Bool
    private let state = Mutex(State())

    private struct State {
        var journal: [String] = []
        /// By the description of a call: `insert Poem`.
        var faults: [String: Fault] = [:]
        var lastID = 100
        var keys: [String: Int] = [:]
        var beforeSaving: (@Sendable () async -> Void)?
    }

    /// Called before a change is saved.
    var beforeSaving: (@Sendable () async -> Void)? {
        get { state.withLock { $0.beforeSaving } }
        set { state.withLock { $0.beforeSaving = newValue } }
    }

    init(
        _ folder: TemporaryDirectory, identifier: String = "shelf", acceptsKeys: Bool = false, canFind: Bool = false
    ) {
        self.folder = folder
        self.identifier = identifier
        self.acceptsKeys = acceptsKeys
        self.canFind = canFind
    }

    /// The calls so far.
    var journal: [String] { state.withLock { $0.journal } }

    func fail(_ call: String, with fault: Fault?) { state.withLock { $0.faults[call] = fault } }

    private func note(_ call: String) throws -> Fault? {
        let fault = state.withLock { state in
            state.journal.append(call)
            return state.faults[call]
        }
        if case .error(let error)? = fault { throw error }
        return fault
    }

    // MARK: Files

    private func file(_ entity: String, _ id: Int) -> String { "\(entity)/\(id).json" }

    func put(_ object: JSON, as entity: String, _ id: Int) throws {
        try folder.write(object.text, to: file(entity, id))
    }

    func remove(_ entity: String, _ id: Int) throws {
        try FileManager.default.removeItem(at: folder.file(file(entity, id)))
    }

    func object(_ entity: String, _ id: Int) -> JSON? {
        (try? folder.text(of: file(entity, id))).flatMap { try? JSON($0) }
    }

    private func objects(_ entity: String) throws -> [JSON] {
        guard folder.contains(entity) else { return [] }
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.file(entity).path)
        let ids = names.compactMap { Int($0.dropLast(5)) }.sorted()
        return try ids.map { try JSON(try folder.text(of: file(entity, $0))) }
    }

    private func answer(_ objects: [JSON], _ entity: String) -> RemoteObjects {
        entity == "Poet"
            ? RemoteObjects(JSON.array(objects), with: Poet.mapping, isComplete: true)
            : RemoteObjects(JSON.array(objects), with: Poem.mapping, isComplete: true)
    }

    // MARK: Calls

    func metadata() -> RemoteMetadata {
        RemoteMetadata(
            typeName: "Folder", identifier: identifier, entities: ["Poet", "Poem"],
            acceptsIdempotencyKeys: acceptsKeys)
    }

    func fetch(_ fetch: RemoteFetch) async throws -> RemoteObjects {
        if case .silence? = try note("fetch \(fetch)") { try await Task.sleep(for: .seconds(1_000)) }
        guard let limit = fetch.limit else { return answer(try objects(fetch.entity), fetch.entity) }
        let page = try objects(fetch.entity).dropFirst(fetch.offset).prefix(limit)
        return answer(Array(page), fetch.entity).evaluates([.range])
    }

    func values(of object: RemoteObject) throws -> RemoteObjects? {
        let id = Int(object.identity["id"]?.integer ?? 0)
        _ = try note("read \(object.entity) \(id)")
        return self.object(object.entity, id).map { answer([$0], object.entity) }
    }

    func values(of relationship: String, of object: RemoteObject) throws -> RemoteObjects {
        let id = Int(object.identity["id"]?.integer ?? 0)
        _ = try note("read \(object.entity) \(id) \(relationship)")
        return answer(try objects("Poem").filter { $0["writer_id"].int == id }, "Poem")
    }

    func save(_ change: RemoteChange) async throws -> RemoteOutcome {
        let entity = change.object.entity
        let fault = try note("\(change.operation) \(entity)")
        await beforeSaving?()
        switch fault {
        case .refusal(let reason)?: return .refused(reason)
        case .conflict(let reason)?: return .conflict(reason)
        case .silence?: try await Task.sleep(for: .seconds(1_000))
        default: break
        }
        var id = change.object.identity["id"]?.integer.map { Int($0) }
        if change.operation == .delete {
            try? remove(entity, id ?? 0)
        } else {
            if id == nil {
                id = state.withLock { state in
                    if acceptsKeys, let known = state.keys[change.idempotencyKey] { return known }
                    state.lastID += 1
                    state.keys[change.idempotencyKey] = state.lastID
                    return state.lastID
                }
            }
            var members: [String: JSON] = [:]
            for member in self.object(entity, id ?? 0)?.object ?? JSONObject([]) { members[member.key] = member.value }
            members["id"] = .integer(id ?? 0)
            for (name, value) in change.values where name != "id" {
                let key = name == "writerID" ? "writer_id" : name
                members[key] = value.text.map { .string($0) } ?? value.integer.map { .integer(Int($0)) } ?? .null
            }
            if let target = change.targets["writer"] {
                members["writer_id"] = target?.identity["id"]?.integer.map { .integer(Int($0)) } ?? .null
            }
            try put(
                .object(JSONObject(members.sorted { $0.key < $1.key }.map { (key: $0.key, value: $0.value) })),
                as: entity, id ?? 0)
        }
        if case .lostAnswer? = fault { throw RemoteError(.noAnswer, "the connection was lost") }
        return .saved(change.operation == .delete ? nil : object(entity, id ?? 0).map { answer([$0], entity) })
    }

    func find(_ change: RemoteChange) throws -> RemoteLookup {
        _ = try note("find \(change.object.entity)")
        guard canFind else { return .unknown }
        let known = state.withLock { $0.keys[change.idempotencyKey] }
        return known.flatMap { object(change.object.entity, $0) }.map { .found(answer([$0], change.object.entity)) }
            ?? .notFound
    }

    // MARK: Stores

    static func model() throws -> ObjectModel { try ObjectModel(Poet.self, Poem.self, Scrap.self) }

    /// Opens a store in a file of the folder.
    func store(
        _ name: String = "store.sqlite", onRemoteEvent handler: (@Sendable (RemoteEvent) -> Void)? = nil
    ) async throws -> ManagedObjectStore {
        try await ManagedObjectStore.open(
            at: folder.file(name), model: Self.model(), remote: self, onRemoteEvent: handler)
    }
}
