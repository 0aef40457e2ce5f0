import ExampleSupport
import ObjectMapping

let primaryKeyWiring = Example(
    "primary-key-wiring", group: "Mapping",
    "Tasks, users and labels from three responses, connected by their keys in any order"
) { story in
    let tasks = """
        [ { "id": 100, "name": "Survey the pier", "assignee_id": 1, "label_ids": [8, 7] },
          { "id": 101, "name": "Order seeds", "assignee_id": 2, "label_ids": [7] },
          { "id": 102, "name": "Paint the door", "assignee_id": null } ]
        """
    let labels = #"[ { "id": 7, "title": "urgent" }, { "id": 8, "title": "outside" } ]"#
    let users = #"{ "users": [ { "id": 1, "name": "Ada" } ] }"#
    story.say("A service sends tasks with the keys of their user and labels:")
    story.show(tasks)
    story.say("Labels and users arrive later, in other responses. A connection connects objects by their keys:")
    story.showCode("declaration")

    let session = MappingSession()
    let found = try Errand.mapping.mapAll(tasks, in: session)
    story.say("A session holds the objects, and the keys whose objects are missing. After the tasks:")
    for waiting in session.unresolved { story.show(waiting.details) }

    _ = try Label.mapping.mapAll(labels, in: session)
    _ = try Member.mapping.mapAll(users, at: "users", in: session)
    story.say("After the labels and the users, without more code:")
    for task in found {
        let labels = task.labels.map(\.title).joined(separator: ", ")
        story.show("\(task.name): \(task.assignee?.name ?? "nobody"), labels: \(labels.isEmpty ? "none" : labels)")
    }
    story.say("User 2 is missing, and the session reports it:")
    for waiting in session.unresolved { story.show(waiting.details) }

    _ = try Member.mapping.map(#"{ "id": 1, "name": "Ada Lovelace" }"#, in: session)
    story.say("If a user arrives again, the same object is updated:")
    story.show("\(found[0].name): \(found[0].assignee?.name ?? "nobody")")
}

// snippet.declaration
final class Errand: Mappable {
    var id = 0
    var name = ""
    var assigneeID: Int?
    var assignee: Member?
    var labelIDs: [Int] = []
    var labels: [Label] = []

    static let mapping = Mapping({ Errand() }) {
        Attribute("id", \.id)
        Attribute("name", \.name)
        Attribute("assignee_id", \.assigneeID)
        Attribute("label_ids", \.labelIDs)
        Connection(\.assignee, by: \.assigneeID)
        Connection(\.labels, by: \.labelIDs)
    }
    .identified(by: \.id)
}

final class Member: Mappable {
    var id = 0
    var name = ""
    static let mapping = Mapping({ Member() }) {
        Attribute("id", \.id)
        Attribute("name", \.name)
    }
    .identified(by: \.id)
}

final class Label: Mappable {
    var id = 0
    var title = ""
    static let mapping = Mapping({ Label() }) {
        Attribute("id", \.id)
        Attribute("title", \.title)
    }
    .identified(by: \.id)
}
// snippet.end
