import ActiveResource
import ExampleSupport
import Foundation
import LoopbackServer

let resourceErrors = Example(
    "resource-errors", group: "Resources",
    "Validation problems by attribute; any other failure is an error with its cause"
) { story in
    /// A text without the port of the server, which differs from run to run.
    func show(_ text: String) {
        story.show(text.replacing(":\(server?.port ?? 0)", with: ""))
    }

    story.say("A record is validated locally, and again by the service:")
    story.showCode("declaration")

    story.say("A local problem needs no request. For status 422, `save` returns false instead of an error.")
    story.showCode("saving")
    for guest in [Guest(name: " "), Guest(name: "Ann", email: "ann"), Guest(name: "Ann", email: "ann@example.com")] {
        show(try await outcome(of: guest))
    }

    story.say("Other statuses have a kind, and the error has the request and the response:")
    story.showCode("kinds")
    for id in [404, 409, 301] { show(await load(id)) }

    story.say("A body that is not a record is such an error, too. Only `details` has values of the body:")
    for id in [500, 200, 204] {
        do throws(ResourceError) {
            _ = try await Guest.find(id)
        } catch {
            show("\(error.kind): \(error)")
            for line in error.details.split(separator: "\n").dropFirst() { show(String(line)) }
        }
    }

    story.say("Without a valid request, the error is thrown before anything is sent:")
    for call in [missingIdentifier, missingOption] {
        do throws(ResourceError) { try await call() } catch { show("\(error.kind): \(error)") }
    }
}

// snippet.declaration
private struct Guest: Resource {
    static let site = ResourceSite(service)
    var id: Int?
    var name = ""
    var email: String?
    var resource = ResourceState()

    static let mapping = Mapping(Guest.init) {
        Attribute("id", \.id)
        Attribute("name", \.name)
        Attribute("email", \.email)
    }

    func validate(_ errors: inout ResourceErrors) {
        errors.requirePresence(of: name, "name")
    }
}
// snippet.end

// snippet.saving
private func outcome(of guest: Guest) async throws(ResourceError) -> String {
    var guest = guest
    if try await guest.save() { return "saved as \(guest.id ?? 0)" }
    return "refused: \(guest.errors.fullMessages), of the email: \(guest.errors["email"])"
}
// snippet.end

// snippet.kinds
private func load(_ id: Int) async -> String {
    do throws(ResourceError) {
        return try await Guest.find(id).name
    } catch {
        switch error.kind {
        case .notFound, .gone: return "not found: \(error.request?.url?.path() ?? "")"
        case .conflict: return "changed by another user: \(error.bodyPrefix)"
        case .redirection: return "\(error)"
        default: return "\(error.kind)"
        }
    }
}
// snippet.end

private struct Visit: Resource {
    static let site = ResourceSite(service)
    static let prefix = "/guests/:guest_id/"
    var id: Int?
    var resource = ResourceState()
    static let mapping = Mapping(Visit.init) { Attribute("id", \.id) }
}

private func missingIdentifier() async throws(ResourceError) { try await Guest().destroy() }
private func missingOption() async throws(ResourceError) { _ = try await Visit.all().records }

private let service = server?.url ?? URL(filePath: "/")

private let server = try? LoopbackServer { request in
    let body = try request.body()
    showRequest("\(request.method) \(request.target)", body)
    let sent = String(decoding: body, as: UTF8.self)
    return switch request.target {
    case "/guests.json" where sent.contains("@"): Answer(201, body: #"{"id": 1}"#.utf8)
    case "/guests.json": Answer(422, body: #"{"errors": {"email": ["has no @"], "base": ["Try again"]}}"#.utf8)
    case "/guests/409.json": Answer(409, body: #"{"error": "stale"}"#.utf8)
    case "/guests/301.json": Answer(301, headers: [Header("Location", "https://other.example.com/guests/301")])
    case "/guests/500.json":
        Answer(500, headers: [Header("Content-Type", "text/html")], body: "<h1>We are sorry</h1>".utf8)
    case "/guests/200.json":
        Answer(headers: [Header("Content-Type", "text/html")], body: "<h1>Please log in</h1>".utf8)
    case "/guests/204.json": Answer(204)
    default: Answer(404, body: "{}".utf8)
    }
}
