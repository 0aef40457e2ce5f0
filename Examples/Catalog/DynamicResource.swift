import ActiveResource
import ExampleSupport
import Foundation
import LoopbackServer

let dynamicResource = Example(
    "dynamic-resource", group: "Resources", "Records without a Swift type: attributes by name, for scripts and consoles"
) { story in
    let server = try LoopbackServer { request in
        let call = "\(request.method) \(request.target)"
        showRequest(call, try request.body())
        return switch call {
        case "GET /people/1.json": Answer(body: ann.utf8)
        case "PUT /people/1.json": Answer(204)
        case "POST /people/1/notes.json": Answer(201, body: #"{"id": 6, "text": "Tea"}"#.utf8)
        case "GET /people/1/notes.json": Answer(body: #"[{"id": 5, "text": "Hm"}, {"id": 6, "text": "Tea"}]"#.utf8)
        default: nil
        }
    }
    let people = DynamicResourceType(ResourceSite(server.url), "person")

    story.say("The service sends this person. The program has no type for it:")
    story.show(ann)

    story.say("Names in camel case are attributes with underscores. Nested objects and lists are records, too:")
    story.showCode("reading")
    story.show(try await describe(1, people))

    story.say("Attributes are set by assignment. A subscript accepts names that are methods in Swift:")
    story.showCode("writing")
    story.show(try await rename(1, people))

    story.say("Paths are nested by name, and new records are created with attributes:")
    story.showCode("nesting")
    story.show(try await addNote(1, people))

    story.say("A mistake in a name is an absent value, or an error that lists the names:")
    var typed = people
    typed.schema = ["email": .string]
    let person = try await typed.find(1)
    story.show("nmae exists: \(person.nmae.exists)")
    do throws(ResourceError) { _ = try person.attribute("nmae") } catch { story.show("\(error)") }
}

private let ann = #"{"id": 1, "name": "Ann", "first_seen": "2026-01-02", "save": true, "home": {"city": "Ulm"}}"#

// snippet.reading
private func describe(_ id: Int, _ people: DynamicResourceType) async throws(ResourceError) -> String {
    let person = try await people.find(id)
    let city = person.record("home")?.city.string ?? "unknown"
    return
        "\(person.name.string ?? "") of \(city), since \(person.firstSeen.string ?? ""), has \(person.knownAttributes)"
}
// snippet.end

// snippet.writing
private func rename(_ id: Int, _ people: DynamicResourceType) async throws(ResourceError) -> String {
    var person = try await people.find(id)
    person.name = "Anna".json
    person.shoeSize = 38
    person["save"] = false
    return "saved: \(try await person.save())"
}
// snippet.end

// snippet.nesting
private func addNote(_ id: Int, _ people: DynamicResourceType) async throws(ResourceError) -> String {
    let notes = people.nested("notes")
    _ = try await notes.create(["text": "Tea".json, "person_id": id.json])
    return "\(try await notes.all(prefix: ["person_id": id]).records.map { $0.text.string ?? "" })"
}
// snippet.end
