import Foundation
import LoopbackServer
import MappingTestSupport
import ObjectLoading
import Synchronization
import Testing

private final class Author: ManagedObject, Mappable {
    @Stored(.identity) var authorID = 0
    @Stored var name = ""
    @ToMany(inverse: \Story.author) var stories: [Story]

    static let mapping = Mapping(Author.self) {
        Attribute("id", \.authorID).readOnly
        Attribute("name", \.name)
    }
    static let key = Mapping(Author.self) { Attribute(.value, \.authorID) }
}

private final class Story: ManagedObject, Mappable {
    @Stored(.identity) var storyID = 0
    @Stored var title = ""
    @Stored var authorID: Int? = nil
    @ToOne var author: Author?

    static let mapping = Mapping(Story.self) {
        Attribute("id", \.storyID).readOnly
        Attribute("title", \.title)
        Attribute("author_id", \.authorID).readOnly
        Relationship("author_id", \.author, Author.key).writeOnly
        Connection(\.author, by: \.authorID)
    }
    /// Does not write the author.
    static let short = Mapping(Story.self) {
        Attribute("id", \.storyID).readOnly
        Attribute("title", \.title)
        Attribute("author_id", \.authorID).readOnly
        Connection(\.author, by: \.authorID)
    }
    /// Writes the foreign key as an attribute.
    static let keyed = Mapping(Story.self) {
        Attribute("id", \.storyID).readOnly
        Attribute("title", \.title)
        Attribute("author_id", \.authorID)
        Connection(\.author, by: \.authorID)
    }
}

@Suite("Objects that refer to unsent ones")
struct UnsentTargetTests {
    private let stub = StubTransport()
    private let store: ManagedObjectStore
    private let manager: ObjectManager
    private let context: ObjectContext

    init() throws {
        store = try ManagedObjectStore(inMemory: ObjectModel(Author.self, Story.self))
        let url = try #require(URL(string: "http://example.com"))
        manager = ObjectManager(client: RESTClient(baseURL: url, transport: stub), store: store)
        context = ObjectContext(store)
        manager.router.add(Author.self, .post, "/authors")
        manager.router.add(Author.self, "/authors/\(\.authorID)")
        manager.bodies.add(Author.mapping)
        manager.responses.add(Author.mapping, path: "/authors")
        manager.router.add(Story.self, "/stories/\(\.storyID)")
    }

    private func describe(_ mapping: Mapping<Story>, at path: RoutePath<Story> = "/stories") {
        manager.router.add(Story.self, .post, path)
        manager.bodies.add(mapping)
        for path in ["/stories", "/stories/:id", "/authors/:author/stories"] {
            manager.responses.add(mapping, path: path)
        }
    }

    /// Objects that a server has.
    private func load() throws -> (Story, Author, Author) {
        context.marksUnsentEdits = false
        let (story, ada, bob) = (Story(in: context), Author(in: context), Author(in: context))
        (story.storyID, ada.authorID, bob.authorID) = (7, 1, 2)
        (story.title, story.author, story.authorID) = ("Kettle", ada, 1)
        try context.save()
        context.marksUnsentEdits = true
        return (story, ada, bob)
    }

    private var bodies: [String] { stub.requests.map { "\($0.method) \($0.url.path) \($0.text)" } }

    // MARK: Keys of unsent objects

    @Test(arguments: [false, true])
    func `A post that would send the key of an object that was never sent is refused`(isSaved: Bool) async throws {
        describe(Story.mapping)
        stub.on(.post, "/authors", StubResponse(status: 201, json: #"{"id": 5}"#))
        stub.on(.post, "/stories", StubResponse(status: 201, json: #"{"id": 7, "author_id": 5}"#))
        let (story, ada) = (Story(in: context), Author(in: context))
        (story.title, story.author) = ("Kettle", ada)
        if isSaved { try await context.save() }
        let error = await #expect(throws: LoadError.self) { try await manager.post(story) }
        #expect(error?.kind == .unsentTarget && stub.requests.isEmpty)
        #expect(error?.description.contains("'author', \(ada.managed.id)") == true)
        try await manager.post(ada)
        try await manager.post(story)
        #expect(bodies.last == #"POST /stories {"title":"Kettle","author_id":5}"#)
        #expect(try story.author == ada && context.unsentObjects().isEmpty)
    }

    @Test func `A path with the key of an object that was never sent is refused`() async throws {
        describe(Story.short, at: "/authors/\(\.author?.authorID)/stories")
        stub.on(.post, "/authors/9/stories", StubResponse(status: 201, json: #"{"id": 7}"#))
        let (story, ada) = (Story(in: context), Author(in: context))
        (story.author, ada.authorID) = (ada, 9)
        try await context.save()
        let error = await #expect(throws: LoadError.self) { try await manager.post(story) }
        #expect(error?.kind == .unsentTarget && stub.requests.isEmpty)
    }

    @Test func `A patch with the key of an object that was never sent is refused, other patches are sent`()
        async throws
    {
        describe(Story.mapping)
        stub.on(.patch, "/stories/7", StubResponse(status: 204))
        let (story, _, _) = try load()
        story.author = Author(in: context)
        try await context.save()
        let error = await #expect(throws: LoadError.self) { try await manager.patch(story) }
        #expect(error?.kind == .unsentTarget && stub.requests.isEmpty)
        try context.discardUnsentEdits(of: story)
        story.title = "Boat"
        try await manager.patch(story)
        #expect(bodies == [#"PATCH /stories/7 {"title":"Boat"}"#])
    }

    @Test func `Unsent objects are sent after those to which they refer, in any order`() async throws {
        describe(Story.mapping)
        stub.on(.post, "/authors", StubResponse(status: 201, json: #"{"id": 5}"#))
        stub.on(.post, "/stories", StubResponse(status: 201, json: #"{"id": 7, "author_id": 5}"#))
        let (story, ada) = (Story(in: context), Author(in: context))
        (story.title, story.author) = ("Kettle", ada)
        try await context.save()
        let sent = try await manager.sendUnsent(in: context)
        #expect(sent.map(\.description) == ["\(ada.managed.id): saved", "\(story.managed.id): saved"])
        #expect(bodies == [#"POST /authors {"name":""}"#, #"POST /stories {"title":"Kettle","author_id":5}"#])
    }

    // MARK: Relationships that are not written

    @Test func `A relationship that the mapping does not write remains unsent, also if it was set to nil`()
        async throws
    {
        describe(Story.short)
        stub.on(.patch, "/stories/7", StubResponse(json: #"{"id": 7, "title": "Boat", "author_id": 1}"#))
        let (story, _, bob) = try load()
        for target in [bob, nil] {
            (story.author, story.title) = (target, story.title + "!")
            try await manager.patch(story)
            #expect(story.author == target)
            #expect(try context.unsentProperties(of: story) == ["author"])
            let sent = try await manager.sendUnsent(in: context)
            #expect((sent.first?.error as? LoadError)?.description.contains("'author'") == true)
            #expect(sent.count == 1 && story.author == target)
        }
        #expect(stub.requests.count == 2)
    }

    @Test func `A relationship of a new object is kept and unsent if the response contradicts it`() async throws {
        describe(Story.short)
        stub.on(.post, "/stories", StubResponse(status: 201, json: #"{"id": 8, "author_id": null}"#))
        let (_, ada, _) = try load()
        let story = Story(in: context)
        story.author = ada
        try await manager.post(story)
        #expect(story.author == ada && ada.stories.contains(story))
        #expect(try context.unsentProperties(of: story) == ["author"])
    }

    @Test(arguments: [#"{"id": 7, "author_id": 2}"#, #"{"id": 7}"#])
    func `A relationship whose foreign key is sent as an attribute is sent`(_ reply: String) async throws {
        describe(Story.keyed)
        stub.on(.patch, "/stories/7", StubResponse(json: reply))
        let (story, _, bob) = try load()
        (story.author, story.authorID) = (bob, 2)
        try await manager.patch(story)
        #expect(bodies == [#"PATCH /stories/7 {"author_id":2}"#])
        #expect(try story.author == bob && context.unsentObjects().isEmpty && !context.hasChanges)
    }

    @Test func `The lists of authors agree with a response that has another author`() async throws {
        describe(Story.mapping)
        stub.on(.post, "/stories", StubResponse(status: 201, json: #"{"id": 8, "author_id": 2}"#))
        let (first, ada, bob) = try load()
        #expect(ada.stories == [first] && bob.stories.isEmpty)
        let story = Story(in: context)
        story.author = ada
        try await manager.post(story)
        #expect(story.author == bob && ada.stories == [first] && bob.stories == [story] && !context.hasChanges)
    }

    // MARK: Concurrent calls

    @Test func `A call that waits for a cancelled post does not create the object again`() async throws {
        let gate = Gate()
        let count = Mutex(0)
        let service = try Service.answering { _ in
            let number = count.withLock { count in
                count += 1
                return count
            }
            if number == 1 { gate.wait() }
            return .json(#"{"id": 8}"#, 201)
        }
        let desk = try Desk(service)
        let first = Task { try await desk.post() }
        await gate.arrival()
        let (starts, start) = AsyncStream.makeStream(of: Void.self)
        let second = Task {
            try await desk.run { desk in
                start.yield()
                return try await desk.post()
            }
        }
        for await _ in starts { break }
        // The second call waits before the actor runs this.
        await desk.run { _ in }
        first.cancel()
        let error = await #expect(throws: LoadError.self) { try await second.value }
        #expect(error?.kind == .unknownOutcome)
        await #expect(throws: MappedRequestError.self) { try await first.value }
        gate.open()
        #expect(count.withLock { $0 } == 1)
    }

    @Test func `Edits are sent once by concurrent calls`() async throws {
        describe(Story.mapping)
        stub.on(.patch, "/stories/7", StubResponse(status: 204))
        let (story, _, _) = try load()
        story.title = "Boat"
        try await context.save()
        let (manager, store) = (manager, store)
        let calls = (0..<4).map { _ in Task { try await manager.sendUnsent(in: ObjectContext(store)).count } }
        var counts: [Int] = []
        for call in calls { counts.append(try await call.value) }
        #expect(stub.requests.count == 1 && counts.reduce(0, +) == 1)
    }

    @Test func `An object that was deleted is not one to insert`() async throws {
        let (story, _, _) = try load()
        context.delete(story)
        try await context.save()
        let error = await #expect(throws: LoadError.self) { try await manager.patch(story) }
        #expect(error?.description.contains("it was deleted") == true)
    }
}
