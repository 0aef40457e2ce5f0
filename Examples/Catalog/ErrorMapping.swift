import ExampleSupport
import Foundation
import LoopbackServer
import ObjectLoading

let errorMapping = Example(
    "error-mapping", group: "Loading",
    "Errors of a service become typed models: a form's problems by attribute, a code, and a list of messages"
) { story in
    let server = try LoopbackServer { request in
        switch "\(request.method) \(request.target)" {
        case "POST /members":
            return Answer(
                422, body: #"{"errors": {"email": ["is taken", "has no @"], "age": ["must be at least 18"]}}"#.utf8)
        case "GET /members/1":
            return Answer(401, body: #"{"error": {"code": "expired", "message": "Sign in again"}}"#.utf8)
        case "GET /reports":
            return Answer(500, body: #"{"messages": ["The disk is full", "Call the operator"]}"#.utf8)
        default:
            return Answer(
                502, headers: [Header("Content-Type", "text/html")], body: "<html>Bad gateway</html>".utf8)
        }
    }
    story.say("Three kinds of errors, each a model with its mapping:")
    story.showCode("model")
    story.say("A descriptor declares to which responses they apply, by status, path or method:")
    story.showCode("manager")
    let manager = memberManager(RESTClient(baseURL: server.url))

    story.say("A form shows the problems next to its fields:")
    story.showCode("form")
    for line in await send(NewMember(email: "ann", age: 12), by: manager) { story.show(line) }

    story.say("The same call for each path returns the models of the error that the response has:")
    story.showCode("reason")
    for path in ["/members/1", "/reports", "/elsewhere"] { story.show("\(path): \(await reason(path, by: manager))") }

    story.say("The message of an error joins the descriptions of its models:")
    story.showCode("message")
    story.show(await message(NewMember(email: "ann", age: 12), by: manager))
}

// snippet.model
struct NewMember: Mappable {
    var email = ""
    var age = 0
    static let mapping = Mapping(NewMember.init) {
        Attribute("email", \.email); Attribute("age", \.age)
    }
}

/// The problems of a form: `{"errors": {"email": ["is taken"]}}`.
struct FormProblems: Mappable, CustomStringConvertible {
    var byAttribute: [String: [String]] = [:]
    static let mapping = Mapping(FormProblems.init) { Attribute("errors", \.byAttribute) }

    var description: String {
        byAttribute.sorted { $0.key < $1.key }.flatMap { name, texts in texts.map { "\(name) \($0)" } }
            .joined(separator: ", ")
    }
}

/// A request that needs another login: `{"error": {"code": "expired", "message": "Sign in again"}}`.
struct AccessProblem: Mappable, CustomStringConvertible {
    enum Code: String, JSONConvertible, Sendable { case expired, locked }
    var code = Code.expired
    var message = ""
    static let mapping = Mapping(AccessProblem.init) {
        Attribute("code", \.code); Attribute("message", \.message)
    }
    var description: String { message }
}

/// A message of the server: `{"messages": ["The disk is full"]}`.
struct ServerMessage: Mappable, CustomStringConvertible {
    var text = ""
    static let mapping = Mapping(ServerMessage.init) { Attribute(.value, \.text) }
    var description: String { text }
}
// snippet.end

// snippet.manager
private func memberManager(_ client: RESTClient) -> ObjectManager {
    let manager = ObjectManager(client: client)
    manager.router.add(NewMember.self, .post, "/members")
    manager.bodies.add(NewMember.mapping)
    manager.responses.add(error: FormProblems.mapping, statuses: 422..<423)
    manager.responses.add(error: AccessProblem.mapping, at: "error", statuses: 401..<404)
    manager.responses.add(error: ServerMessage.mapping, at: "messages", statuses: 500..<600)
    return manager
}
// snippet.end

// snippet.form
private func send(_ member: NewMember, by manager: ObjectManager) async -> [String] {
    do {
        try await manager.post(member)
        return ["welcome"]
    } catch {
        let problems = (error as? MappedRequestError)?.models(of: FormProblems.self).first?.byAttribute ?? [:]
        return ["email", "age"].map { field in
            "\(field): \(problems[field]?.joined(separator: ", ") ?? "")"
        }
    }
}
// snippet.end

// snippet.reason
private func reason(_ path: String, by manager: ObjectManager) async -> String {
    do {
        return "\(try await manager.load(path).response.status)"
    } catch let error as MappedRequestError {
        if let access = error.models(of: AccessProblem.self).first { return "\(access.code), \(access.message)" }
        let messages = error.models(of: ServerMessage.self)
        return messages.isEmpty ? "status \(error.response?.status ?? 0)" : messages.map(\.text).joined(separator: "; ")
    } catch { return "\(error)" }
}
// snippet.end

// snippet.message
private func message(_ member: NewMember, by manager: ObjectManager) async -> String {
    do {
        return "\(try await manager.post(member).response.status)"
    } catch let error as MappedRequestError { return error.serverMessage ?? "" } catch { return "\(error)" }
}
// snippet.end
