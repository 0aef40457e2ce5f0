import Foundation
import LoopbackServer
import ObjectLoading
import Synchronization
import TestSupport
import Testing

/// A REST store whose saves end when a test opens them.
private final class WaitingRemote: IncrementalStore {
    let rest: RESTStore
    private let state = Mutex<(isWaiting: Bool, isOpen: Bool)>((false, false))

    init(_ rest: RESTStore) { self.rest = rest }

    var isWaiting: Bool { state.withLock { $0.isWaiting } }
    func open() { state.withLock { $0.isOpen = true } }

    func metadata() -> RemoteMetadata { rest.metadata() }
    func prepare(_ step: RemoteStep, for object: ManagedObject) throws -> (any Sendable)? {
        try rest.prepare(step, for: object)
    }
    func fetch(_ fetch: RemoteFetch) async throws -> RemoteObjects { try await rest.fetch(fetch) }
    func save(_ change: RemoteChange) async throws -> RemoteOutcome {
        let outcome = try await rest.save(change)
        state.withLock { $0.isWaiting = true }
        while state.withLock({ !$0.isOpen }) { await Task.yield() }
        return outcome
    }
}

@Suite struct `A POST of a REST store` {
    @Test(arguments: [true, false]) @MainActor
    func `is merged into the row that a fetch has stored meanwhile`(_ isShown: Bool) async throws {
        let posts = Mutex(0)
        let server = try LoopbackServer { request in
            guard request.method == "POST" else { return Answer(body: #"[{"id":7,"name":"Roy"}]"#.utf8) }
            posts.withLock { $0 += 1 }
            return Answer(201, body: #"{"id":7,"name":"Roy"}"#.utf8)
        }
        let rest = RESTStore(rails: RESTClient(baseURL: server.url))
        rest.add(RemotePerson.self, id: \.personID, as: "person")
        let remote = WaitingRemote(rest)
        let outcomes = Mutex<[ObjectOutcome]>([])
        let store = try await ManagedObjectStore.open(
            at: URL(filePath: ":memory:"), model: ObjectModel(RemotePerson.self, RemotePost.self, RemoteComment.self),
            remote: remote
        ) { event in
            if case .didSave(_, let outcome) = event { outcomes.withLock { $0.append(outcome) } }
        }
        let context = store.mainContext
        let person = RemotePerson(in: context)
        person.name = "Roy"
        let saving = Task { @MainActor in try await context.save() }
        #expect(await eventually { remote.isWaiting })
        // Another context has the object, or this one.
        let other = isShown ? context : ObjectContext(store)
        let found = try await other.fetch(RemotePerson.where { $0.personID == 7 }, policy: .remote)
        #expect(found.map(\.personID) == [7])
        remote.open()
        try await saving.value
        #expect(try store.count(of: "RemotePerson") == 1 && !context.hasChanges)
        #expect(posts.withLock { $0 } == 1)
        #expect(try store.interruptedSaves.isEmpty)
        #expect(outcomes.withLock { $0.map(\.kind) } == [.saved])
        if isShown {
            let outcome = try #require(outcomes.withLock { $0.first })
            #expect(person.managed.context == nil && outcome.message.contains("which replaces the new one"))
            #expect(try await context.object(with: outcome.object) === found[0])
        } else {
            #expect(person.personID == 7 && person.managed.state == .unchanged)
        }
    }
}
