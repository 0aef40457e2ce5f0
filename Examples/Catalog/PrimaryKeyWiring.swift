import ExampleSupport
import ObjectMapping

let primaryKeyWiring = Example(
    "primary-key-wiring", group: "Mapping",
    "Tasks, users and labels that know each other by number only, from three answers in any order"
) { story in
    let tasks = """
        [ { "id": 100, "name": "Survey the pier", "assignee_id": 1, "label_ids": [8, 7] },
          { "id": 101, "name": "Order seeds", "assignee_id": 2, "label_ids": [7] },
          { "id": 102, "name": "Paint the door", "assignee_id": null } ]
        """
    let labels = #"[ { "id": 7, "title": "urgent" }, { "id": 8, "title": "outside" } ]"#
    let users = #"{ "users": [ { "id": 1, "name": "Ada" } ] }"#
    story.say("A service sends tasks that name their user and their labels by key only:")
    story.show(tasks)
    story.say("The labels and the users come in other answers, later. A connection wires what belongs together:")
    story.showCode("declaration")

    let session = MappingSession()
    let found = try Errand.mapping.mapAll(tasks, in: session)
    story.say("A session remembers what has come, and what is still waited for. After the tasks:")
    for waiting in session.unresolved { story.show(waiting.debugDescription) }

    _ = try Label.mapping.mapAll(labels, in: session)
    _ = try Member.mapping.mapAll(users, at: "users", in: session)
    story.say("After the labels and the users, without another line of code:")
    for task in found {
        let labels = task.labels.map(\.title).joined(separator: ", ")
        story.show("\(task.name): \(task.assignee?.name ?? "nobody"), labels: \(labels.isEmpty ? "none" : labels)")
    }
    story.say("User 2 never came, and that is known, too:")
    for waiting in session.unresolved { story.show(waiting.debugDescription) }

    _ = try Member.mapping.map(#"{ "id": 1, "name": "Ada Lovelace" }"#, in: session)
    story.say("A user who comes again is the same object, brought up to date:")
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
