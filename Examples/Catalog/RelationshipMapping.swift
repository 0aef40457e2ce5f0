import ExampleSupport
import ObjectMapping

let relationshipMapping = Example(
    "relationship-mapping", group: "Mapping", "Projects with their owner and tasks, and comments with replies"
) { story in
    let json = """
        {
          "projects": [
            {
              "id": 10, "name": "Harbour lights",
              "user": { "id": 1, "name": "Ada Brandt" },
              "tasks": [
                { "id": 100, "name": "Survey the pier" },
                { "id": 101, "name": "Order the lamps" }
              ]
            },
            { "id": 11, "name": "Seed library", "user": null, "tasks": [] }
          ]
        }
        """
    story.say("Two projects, each with a nested user and a list of tasks:")
    story.show(json)

    story.say(
        "A relationship is a rule for a property of another mapped type: an Optional for one object, an Array for many."
    )
    story.showCode("declaration")

    let projects = try Project.mapping.mapAll(json, at: "projects")

    story.say("`try Project.mapping.mapAll(json, at: \"projects\")` starts at a key path and gives an array:")
    for project in projects {
        let tasks = project.tasks.isEmpty ? "no tasks yet" : project.tasks.map(\.name).joined(separator: ", ")
        story.show("\(project.name) of \(project.owner?.name ?? "nobody"): \(tasks)")
    }

    let thread = """
        { "author": "Mei", "text": "Which lamps?", "replies": [
            { "author": "Ada", "text": "The amber ones.", "replies": [
                { "author": "Mei", "text": "Thanks!" } ] },
            { "author": "Tomás", "text": "Ask the harbour master." } ] }
        """
    story.say("A type can contain itself. A comment has replies, which are comments:")
    story.show(thread)
    story.showCode("recursion")

    story.say("`try Comment.mapping.map(thread)` reads all levels:")
    show(try Comment.mapping.map(thread), depth: 0, in: story)

    story.say("Each type is declared once, for any depth.")
}

private func show(_ comment: Comment, depth: Int, in story: Narrator) {
    story.show(String(repeating: "    ", count: depth) + "\(comment.author): \(comment.text)")
    for reply in comment.replies { show(reply, depth: depth + 1, in: story) }
}

// snippet.declaration
struct Person: Mappable {
    var id = 0
    var name = ""

    static let mapping = Mapping(Person.init) {
        Attribute("id", \.id)
        Attribute("name", \.name)
    }
}

struct ProjectTask: Mappable {
    var id = 0
    var name = ""

    static let mapping = Mapping(ProjectTask.init) {
        Attribute("id", \.id)
        Attribute("name", \.name)
    }
}

struct Project: Mappable {
    var name = ""
    var owner: Person?
    var tasks: [ProjectTask] = []

    static let mapping = Mapping(Project.init) {
        Attribute("name", \.name)
        Relationship("user", \.owner)
        Relationship("tasks", \.tasks)
    }
}
// snippet.end

// snippet.recursion
struct Comment: Mappable {
    var author = ""
    var text = ""
    var replies: [Comment] = []

    static let mapping = Mapping(Comment.init) {
        Attribute("author", \.author)
        Attribute("text", \.text)
        Relationship("replies", \.replies)
    }
}
// snippet.end
