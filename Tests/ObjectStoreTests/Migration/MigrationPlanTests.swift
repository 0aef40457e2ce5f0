import Foundation
import ObjectMapping
import TestSupport
import Testing

@testable import ObjectStore

private enum Grade: String { case first = "1", second = "2" }

private final class GradedJob: ManagedObject {
    override class var entityName: String { "Job" }
    @Stored(.identity) var id = 0
    @Stored var grade: Grade? = nil
}

/// What a plan says about the changes of a file.
@Suite struct MigrationPlanTests {
    private func jobs(_ grades: String) throws -> MigratedFile {
        try MigratedFile([EntityDescription("Job", [.integer("grade")])], "INSERT INTO \"Job\" VALUES \(grades)")
    }

    @Test func `an enumeration without a converted value is refused by name`() async throws {
        let file = try jobs("(1, 1, 1), (2, 2, 3), (3, 3, 3), (4, 4, NULL)")
        let model = try ObjectModel(GradedJob.self)
        let text =
            "1 value of 'Job.grade' cannot be read as Grade, such as '3'; a MigrationStep can provide 'Job.grade'"
        let plan = try await ManagedObjectStore.migrationPlan(at: file.url, model: model)
        #expect(plan.problems == [text] && !plan.isPossible)
        let before = try file.content()
        let error = #expect(throws: StoreError.self) { try ManagedObjectStore(at: file.url, model: model) }
        #expect(error?.kind == .modelMismatch && error?.message.hasSuffix(text) == true)
        #expect(try file.content() == before)
        let step = MigrationStep(
            "grades", providing: ["Job.grade"],
            sql:
                #"UPDATE "Job" SET "grade" = min("_mappingkit_old_grade", 2) WHERE "_mappingkit_old_grade" IS NOT NULL"#
        )
        let store = try ManagedObjectStore(at: file.url, model: model, options: MigratedFile.options([step]))
        #expect(try await ObjectContext(store).fetch(GradedJob.all).map(\.grade) == [.first, .second, .second, nil])
    }

    @Test func `an enumeration with all converted values is migrated`() async throws {
        let file = try jobs("(1, 1, 1), (2, 2, 2), (3, 3, NULL)")
        let model = try ObjectModel(GradedJob.self)
        #expect(try await ManagedObjectStore.migrationPlan(at: file.url, model: model).problems == [])
        let store = try ManagedObjectStore(at: file.url, model: model)
        #expect(try await ObjectContext(store).fetch(GradedJob.all).map(\.grade) == [.first, .second, nil])
    }

    @Test func `a string that becomes an enumeration of strings is no change of the file`() async throws {
        let file = try MigratedFile(
            [EntityDescription("Job", [.string("grade")])], "INSERT INTO \"Job\" VALUES (1, 1, '2'), (2, 2, 'third')")
        let model = try ObjectModel(GradedJob.self)
        let plan = try await ManagedObjectStore.migrationPlan(at: file.url, model: model)
        #expect(!plan.changes.contains { $0.property == "grade" } && plan.isPossible, "\(plan)")
        let store = try ManagedObjectStore(at: file.url, model: model)
        let context = ObjectContext(store)
        let jobs = try await context.fetch(GradedJob.all)
        #expect(jobs.map(\.grade) == [.second, nil])
        #expect(jobs[0].managed.error == nil && jobs[1].managed.error != nil)
        jobs[1].id = 3
        await #expect(throws: StoreError.self) { try await context.save() }
        #expect(try store.text("SELECT grade FROM Job WHERE id = 2") == "third")
    }

    @Test func `the problems include all changes that are not possible`() async throws {
        let file = try MigratedFile([EntityDescription("Job", [.string("grade"), .string("day")])])
        let new = EntityDescription("Job", [.integer("grade"), AttributeDescription("day", AttributeType(.date))])
        let plan = try await ManagedObjectStore.migrationPlan(at: file.url, model: ObjectModel(entities: [new]))
        let reason = "values cannot be converted without loss"
        #expect(
            plan.problems == [
                "convert 'Job.grade' from string to integer: \(reason)",
                "convert 'Job.day' from string to date: \(reason)",
            ])
        #expect(!plan.isPossible)
        #expect(plan.description.components(separatedBy: "not possible").count == 3, "each is mentioned once")
    }

    @Test(arguments: [false, true]) func `a renamed inverse keeps its links, and the plan says so`(
        isOrdered: Bool
    ) async throws {
        func entities(_ list: String) -> [EntityDescription] {
            [
                EntityDescription(
                    "Plan", [],
                    [
                        RelationshipDescription(
                            list, to: "Task", isToMany: true, isOrdered: isOrdered, inverse: "plan")
                    ]),
                EntityDescription("Task", [], [RelationshipDescription("plan", to: "Plan", inverse: list)]),
            ]
        }
        let file = try MigratedFile(
            entities("todos"), "INSERT INTO Plan VALUES(1, 1); INSERT INTO Task VALUES(1, 1, 1), (2, 2, 1)",
            isOrdered ? "INSERT INTO Plan_todos VALUES(1, 2, 0), (1, 1, 1)" : "")
        let plan = try await ManagedObjectStore.migrationPlan(
            at: file.url, model: ObjectModel(entities: entities("tasks")))
        let change = try #require(plan.changes.first { $0.property == "todos" })
        #expect(
            change.description == "remove 'Plan.todos', whose links 'Task.plan' keeps"
                + (isOrdered ? " without their order" : ""))
        #expect(change.losesValues == isOrdered)
        let store = try file.migrate(to: entities("tasks"))
        #expect(try store.text("SELECT plan FROM Task") == "1;1")
        if isOrdered { #expect(try store.text("SELECT target FROM Plan_tasks ORDER BY position") == "1;2") }
    }
}
