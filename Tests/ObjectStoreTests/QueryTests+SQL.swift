import ObjectMapping
import Testing

@testable import ObjectStore

/// Objects of contexts, and SQL statements that write.
@Suite struct QuerySQLTests {
    let context: ObjectContext
    let task: ProjectTask
    let project: Project

    init() throws {
        context = try ManagedModel.example()
        task = try #require(try context.find(ProjectTask.self, 3))
        project = try #require(try context.find(Project.self, 1))
    }

    @Test(arguments: [
        #"UPDATE "ProjectTask" SET "name" = 'x'"#, "update projecttask set name = 'x'",
        "UPDATE [ProjectTask] SET name = 'x' WHERE hours > (SELECT min(hours) FROM ProjectTask)",
    ])
    func `Objects of the tables that a statement names become faults`(_ sql: String) throws {
        try context.write(sql: sql)
        #expect(task.managed.isFault && !project.managed.isFault)
        #expect(task.name == "x" && project.name == "Kettle")
    }

    @Test func `A statement of the store turns objects of each context into faults at its next merge point`() throws {
        let other = ObjectContext(context.store)
        let same = try #require(try other.find(ProjectTask.self, 3))
        try context.store.write(sql: "UPDATE ProjectTask SET name = ?", arguments: ["x"])
        #expect(task.name == "Buy tiles" && same.name == "Buy tiles")
        _ = try context.fetch(User.all)
        #expect(task.managed.isFault && task.name == "x" && same.name == "Buy tiles")
        try other.save()
        #expect(same.managed.isFault && same.name == "x")
        _ = try context.fetch(User.all)
        #expect(!task.managed.isFault)
    }

    @Test func `A statement leaves unsaved changes, and their saves detect it`() throws {
        (task.hours, project.name) = (9, "Pot")
        try context.store.write(sql: "UPDATE ProjectTask SET name = 'x'")
        #expect(try context.fetch(ProjectTask.where { $0.hours == 9 }) == [task])
        #expect(task.hours == 9 && task.name == "x" && project.name == "Pot")
        try context.store.write(sql: "UPDATE ProjectTask SET hours = 4")
        let error = #expect(throws: StoreError.self) { try context.save() }
        #expect(error?.conflicts.map(\.description) == ["ProjectTask.hours of ProjectTask/3 was changed by others"])
        context.mergePolicy = .objectWins
        try context.save()
        #expect(task.hours == 9)
    }

    @Test func `Lists are updated by a statement that changes their tables`() throws {
        #expect(project.tasks.count == 3 && project.members.count == 2)
        try context.write(sql: "UPDATE ProjectTask SET project = NULL WHERE taskID = 3")
        #expect(project.tasks.count == 2)
        try context.write(sql: "DELETE FROM User_projects WHERE owner = 1")
        #expect(project.members.map(\.name) == ["Bob"])
    }

    @Test func `An object whose row a statement deletes leaves the context`() throws {
        try context.write(sql: "DELETE FROM ProjectTask WHERE taskID = 3")
        #expect(task.name == "Buy tiles" && task.managed.state == .deleted && task.managed.context == nil)
        #expect(try context.fetch(ProjectTask.all).count == 5)
    }
}
