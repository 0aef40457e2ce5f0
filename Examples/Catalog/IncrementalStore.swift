import ExampleSupport
import Foundation
import LoopbackServer
import ObjectLoading
import Synchronization

let incrementalStore = Example(
    "incremental-store", group: "Loading",
    "Objects of a web service are fetched, created, changed and deleted as if they were local"
) { story in
    let service = try PeopleService()
    story.say("A managed class, and a remote that describes the service by the conventions of Rails:")
    story.showCode("model")
    story.showCode("store")
    let store = try await openPeople(service.url)

    story.say("A fetch is a GET. The objects are in the file afterwards, and in the context:")
    story.showCode("fetch")
    story.show("\(try await fetchPeople(store))")

    story.say("A save is a POST, a PATCH or a DELETE for each object, and returns when the service has answered:")
    story.showCode("save")
    for line in try await editPeople(store) { story.show(line) }

    story.say("What the service refuses stays changed, with the reasons by attribute:")
    story.showCode("refuse")
    story.show(try await refusePerson(store))

    story.say("The service has received:")
    for request in service.requests { story.show(request) }
}

// snippet.model
private final class Citizen: ManagedObject, Mappable {
    @Stored(.identity) var id = 0
    @Stored var name = ""

    static let mapping = Mapping(Citizen.self) {
        Attribute("id", \.id)
        Attribute("name", \.name)
    }
}
// snippet.end

// snippet.store
private func openPeople(_ url: URL) async throws -> ManagedObjectStore {
    let remote = RESTStore(rails: RESTClient(baseURL: url))
    remote.add(Citizen.self, id: \.id, as: "person")  // /people, /people/7, {"person": {…}}
    return try await ManagedObjectStore.open(
        at: URL(filePath: ":memory:"), model: ObjectModel(Citizen.self), remote: remote)
}
// snippet.end

// snippet.fetch
@MainActor private func fetchPeople(_ store: ManagedObjectStore) async throws -> [String] {
    try await store.mainContext.fetch(Citizen.all.sorted(by: \.name), policy: .remote).map(\.name)
}
// snippet.end

// snippet.save
@MainActor private func editPeople(_ store: ManagedObjectStore) async throws -> [String] {
    let context = store.mainContext
    let person = Citizen(in: context)
    person.name = "Zoe"
    try await context.save()
    let created = "created: \(person.id) \(person.name)"
    person.name = "Zoë"
    try await context.save()
    let changed = "changed: \(person.id) \(person.name)"
    context.delete(person)
    try await context.save()
    return [created, changed, "left: \(try store.count(of: "Citizen"))"]
}
// snippet.end

// snippet.refuse
@MainActor private func refusePerson(_ store: ManagedObjectStore) async throws -> String {
    let context = store.mainContext
    let nobody = Citizen(in: context)
    do {
        try await context.save()
        return "saved"
    } catch {
        let reasons = error.outcomes.map { "\($0.kind.rawValue): \($0.message)" }
        return "\(reasons.joined()), \(nobody.managed.state)"
    }
}
// snippet.end

/// A service with the responses of Rails.
private final class PeopleService: Sendable {
    private let server: LoopbackServer
    private let journal = Journal()
    var url: URL { server.url }
    var requests: [String] { journal.requests.withLock { $0 } }

    private final class Journal: Sendable { let requests = Mutex<[String]>([]) }

    init() throws {
        server = try LoopbackServer { [journal] request in
            let body = String(decoding: try request.body(), as: UTF8.self)
            let line = "\(request.method) \(request.target)" + (body.isEmpty ? "" : " " + body)
            journal.requests.withLock { $0.append(line) }
            switch request.method {
            case "GET": return Answer(body: #"[{"id":1,"name":"Matz"},{"id":2,"name":"Ada"}]"#.utf8)
            case "DELETE": return Answer(204)
            default:
                guard let name = try JSON(body)["person"]["name"].string, !name.isEmpty else {
                    return Answer(422, body: #"{"errors":{"name":["can't be blank"]}}"#.utf8)
                }
                return Answer(request.method == "POST" ? 201 : 200, body: #"{"id":3,"name":"\#(name)"}"#.utf8)
            }
        }
    }
}
