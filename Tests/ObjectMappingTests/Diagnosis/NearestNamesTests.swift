import ObjectMapping
import Testing

struct NearestNamesTests {
    @Test(
        arguments: [
            ("avgg", ["avg", "sum", "count"], ["avg"]),
            ("assignedUserId", ["id", "assigned_user_id"], ["assigned_user_id"]),
            ("naem", ["name", "game"], ["name"]), ("Name", ["name", "names"], ["name", "names"]),
            ("id", ["is", "it"], []),
            ("id", ["ID", "_id", "url"], ["ID", "_id"]),
            ("colour", ["color", "cooler", "count"], ["color", "cooler"]), ("xyz", ["abc"], []),
            ("", ["a"], []), ("a", [""], []), ("-", ["_"], []),
            ("tasks", ["task", "taks", "tusks", "tassks"], ["taks", "task", "tassks"]),
            ("tusk", ["User", "Task", "task"], ["task", "Task"]), ("Tusk", ["task", "Task"], ["Task", "task"]),
        ] as [(String, [String], [String])])
    func `The three nearest names are suggested, in order`(name: String, known: [String], expected: [String]) {
        #expect(nearestNames(to: name, among: known) == expected)
    }
}
