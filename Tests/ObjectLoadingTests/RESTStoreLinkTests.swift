import Foundation
import LoopbackServer
import ObjectLoading
import Synchronization
import TestSupport
import Testing

final class Singer: ManagedObject, Mappable {
    @Stored(.identity) var id = 0
    @Stored var name = ""
    @Stored var bandIDs: [Int] = []
    @ToMany var bands: [Band]
    @ToOne var contract: Contract?

    static let mapping = Mapping(Singer.self) {
        Attribute("id", \.id)
        Attribute("name", \.name)
        Attribute("band_ids", \.bandIDs)
        Connection(\.bands, by: \.bandIDs)
    }
}

final class Band: ManagedObject, Mappable {
    @Stored(.identity) var id = 0
    @Stored var name = ""
    @ToMany(inverse: \Singer.bands) var singers: [Singer]

    static let mapping = Mapping(Band.self) {
        Attribute("id", \.id)
        Attribute("name", \.name)
    }
}

final class Contract: ManagedObject, Mappable {
    @Stored(.identity) var id = 0
    @Stored var singerID: Int? = nil
    @ToOne(inverse: \Singer.contract) var singer: Singer?

    static let mapping = Mapping(Contract.self) {
        Attribute("id", \.id)
        Attribute("singer_id", \.singerID)
        Connection(\.singer, by: \.singerID)
    }
}

@Suite struct `A REST store with relationships and versions` {
    private let requests = Requests()

    /// The requests of a server.
    private final class Requests: Sendable {
        private let lines = Mutex<[String]>([])
        var all: [String] { lines.withLock { $0 } }
        func add(_ line: String) -> Int {
            lines.withLock { lines in
                lines.append(line)
                return lines.count
            }
        }
    }

    private func store(_ url: URL, _ file: URL = URL(filePath: ":memory:")) async throws -> ManagedObjectStore {
        let remote = RESTStore(rails: RESTClient(baseURL: url), identifier: "music")
        remote.add(Singer.self, id: \.id, as: "singer")
        remote.add(Band.self, id: \.id, as: "band")
        remote.add(Contract.self, id: \.id, as: "contract")
        return try await ManagedObjectStore.open(
            at: file, model: ObjectModel(Singer.self, Band.self, Contract.self), remote: remote)
    }

    /// A server that assigns the number of the request to a new object.
    private func creatingServer() throws -> LoopbackServer {
        try LoopbackServer { [requests] request in
            let body = String(decoding: try request.body(), as: UTF8.self)
            let number = requests.add("\(request.method) \(request.target) \(body)")
            return request.method == "POST" ? Answer(201, body: #"{"id":\#(number)}"#.utf8) : Answer(204)
        }
    }

    @Test @MainActor func `sends lists by the keys that the mapping writes`() async throws {
        let server = try creatingServer()
        let context = try await store(server.url).mainContext
        let (singer, band) = (Singer(in: context), Band(in: context))
        (singer.name, singer.bands) = ("Nina", [band])
        try await context.save()
        #expect(
            requests.all == [
                #"POST /bands {"band":{"name":""}}"#,
                #"POST /singers {"singer":{"name":"Nina","band_ids":[1]}}"#,
            ])
        singer.bands = []
        try await context.save()
        #expect(requests.all.last == #"PATCH /singers/2 {"singer":{"band_ids":[]}}"#)
        #expect(!context.hasChanges && band.singers.isEmpty)
    }

    @Test @MainActor func `sends the side of a one-to-one relationship that the mapping writes`() async throws {
        let server = try creatingServer()
        let context = try await store(server.url).mainContext
        let (singer, contract) = (Singer(in: context), Contract(in: context))
        singer.contract = contract
        try await context.save()
        #expect(
            requests.all == [
                #"POST /singers {"singer":{"name":"","band_ids":[]}}"#,
                #"POST /contracts {"contract":{"singer_id":1}}"#,
            ])
        #expect(contract.singerID == 1 && !context.hasChanges)
        contract.singer = nil
        try await context.save()
        #expect(requests.all.count == 3 && requests.all.last == #"PATCH /contracts/2 {"contract":{"singer_id":null}}"#)
        #expect(singer.contract == nil && contract.singerID == nil && !context.hasChanges)
        let other = ObjectContext(context.store)
        #expect(try await other.fetch(Singer.all).first?.contract == nil)
    }

    @Test @MainActor func `asks for a list with its ETag after the file was opened again`() async throws {
        let folder = try TemporaryDirectory()
        let server = try LoopbackServer { [requests] request in
            let condition = request.headers["If-None-Match"] ?? ""
            _ = requests.add("\(request.target) \(condition)")
            let tag = Header("ETag", "\"v1\"")
            return condition == "\"v1\""
                ? Answer(304, headers: [tag])
                : Answer(
                    headers: [tag], body: #"[{"id":1,"name":"A"}]"#.utf8)
        }
        for _ in 0..<2 {
            let store = try await store(server.url, folder.file("store.sqlite"))
            let bands = try await store.mainContext.fetch(Band.all, policy: .remote)
            #expect(bands.map(\.name) == ["A"])
            store.close()
        }
        #expect(requests.all == ["/bands ", "/bands \"v1\""])
    }

    @Test @MainActor func `describes the classes of a model by the conventions of Rails`() async throws {
        let server = try LoopbackServer { [requests] request in
            let body = String(decoding: try request.body(), as: UTF8.self)
            _ = requests.add("\(request.method) \(request.target) \(body)")
            switch request.target {
            case "/bands/1/singers": return Answer(body: #"[{"id":2,"name":"Nina"}]"#.utf8)
            case "/bands/1": return Answer(body: #"{"id":1,"name":"C"}"#.utf8)
            default:
                return request.method == "GET"
                    ? Answer(body: #"[{"id":1,"name":"A"}]"#.utf8)
                    : Answer(201, headers: [Header("Location", "/bands/7")])
            }
        }
        let store = try await ManagedObjectStore.open(
            at: URL(filePath: ":memory:"), model: ObjectModel(Singer.self, Band.self, Contract.self),
            remote: RESTStore(rails: server.url))
        let context = store.mainContext
        let band = try #require(try await context.fetch(Band.all, policy: .remote).first)
        try await band.managed.load(\.singers)
        #expect(band.singers.map(\.name) == ["Nina"])
        try await band.managed.refresh()
        #expect(band.name == "C")
        let new = Band(in: context)
        new.name = "New"
        try await context.save()
        #expect(new.id == 7)
        #expect(
            requests.all == [
                "GET /bands ", "GET /bands/1/singers ", "GET /bands/1 ", #"POST /bands {"band":{"name":"New"}}"#,
            ])
    }

    @Test @MainActor func `follows the conventions for classes that are not added or left out`() async throws {
        let server = try LoopbackServer { [requests] request in
            _ = requests.add("\(request.method) \(request.target)")
            return Answer(body: "[]".utf8)
        }
        let remote = RESTStore(rails: server.url)
        remote.add(Singer.self, id: \.id, as: "vocalist")
        remote.leaveOut(Contract.self)
        let store = try await ManagedObjectStore.open(
            at: URL(filePath: ":memory:"), model: ObjectModel(Singer.self, Band.self, Contract.self), remote: remote)
        #expect(remote.metadata().entities == ["Singer", "Band"])
        _ = try await store.mainContext.fetch(Singer.all, policy: .remote)
        _ = try await store.mainContext.fetch(Band.all, policy: .remote)
        _ = try await store.mainContext.fetch(Contract.all, policy: .remote)
        #expect(requests.all == ["GET /vocalists", "GET /bands"])
    }

    @Test @MainActor func `sends values and relationships that became nil as null by a PUT`() async throws {
        var options = RESTStore.Options()
        options.updateMethod = .put
        let server = try creatingServer()
        let remote = RESTStore(rails: RESTClient(baseURL: server.url), options: options)
        let model = try ObjectModel(Singer.self, Band.self, Contract.self, RemotePost.self, RemoteComment.self)
        let store = try await ManagedObjectStore.open(at: URL(filePath: ":memory:"), model: model, remote: remote)
        let context = ObjectContext(store)
        let (comment, post, contract) = (RemoteComment(in: context), RemotePost(in: context), Contract(in: context))
        (comment.text, comment.post) = ("Nice", post)
        try await context.save()
        comment.post = nil
        contract.singerID = 7
        try await context.save()
        #expect(requests.all.contains { $0.hasPrefix("PUT") && $0.contains(#""text":"Nice","post_id":null"#) })
        contract.singerID = nil
        try await context.save()
        #expect(
            requests.all.last?.hasPrefix("PUT") == true && requests.all.last?.contains(#""singer_id":null"#) == true)
        #expect(!context.hasChanges && comment.postID == nil && contract.singerID == nil)
    }
}
