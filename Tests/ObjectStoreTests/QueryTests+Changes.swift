import ObjectMapping
import Testing

@testable import ObjectStore

@Suite struct QueryChangeTests {
    let context: ObjectContext

    init() throws { context = try ManagedModel.example() }

    private func error(_ body: () throws -> Void) -> StoreError? {
        do {
            try body()
            return nil
        } catch {
            return error as? StoreError
        }
    }

    // MARK: Finders

    @Test func `Objects are found by identity, in the context without SQL`() throws {
        let tasks = try context.fetch(ProjectTask.all)
        let first = try #require(try context.find(ProjectTask.self, 2))
        #expect(first === tasks[1])
        let log = StatementLog(context.store)
        #expect(try context.find(ProjectTask.self, 3) === tasks[2])
        #expect(try ProjectTask.find(2, in: context) === first)
        #expect(log.take().isEmpty)
        #expect(try context.find(ProjectTask.self, 99) == nil)
        let later = try context.fetch(User.all)
        #expect(try context.find(User.self, 2) === later[1])
    }

    @Test func `Unsaved changes decide which object is found`() throws {
        let new = context.task(50, "new")
        #expect(try context.find(ProjectTask.self, 50) === new)
        let tasks = try context.fetch(ProjectTask.all)
        #expect(try context.find(ProjectTask.self, 1) === tasks[0])
        tasks[0].taskID = 60
        #expect(try context.find(ProjectTask.self, 60) === tasks[0])
        #expect(try context.find(ProjectTask.self, 1) == nil)
        context.delete(tasks[1])
        #expect(try context.find(ProjectTask.self, 2) == nil)
        context.rollback()
        #expect(try context.find(ProjectTask.self, 1) === tasks[0])
        #expect(try context.find(ProjectTask.self, 60) == nil && context.find(ProjectTask.self, 50) == nil)
        #expect(try context.find(ProjectTask.self, 2) === tasks[1])
    }

    @Test func `Compound identities are found, and created once`() throws {
        let milestone = try context.findOrCreate(Milestone.self, "A", 7)
        #expect(milestone.series == "A" && milestone.number == 7)
        #expect(try context.findOrCreate(Milestone.self, "A", 7) === milestone)
        #expect(try context.find(Milestone.self, "A", 8) == nil)
        milestone.title = "begin"
        try context.save()
        #expect(try context.find(Milestone.self, "A", 7) === milestone)
        let other = ObjectContext(context.store)
        #expect(try other.findOrCreate(Milestone.self, "A", 7).title == "begin")
        #expect(!other.hasChanges)
    }

    @Test func `New objects are found among many, also after others were deleted`() throws {
        let objects = try (100..<400).map { try context.findOrCreate(ProjectTask.self, $0) }
        let other = context.task(500, "other")
        #expect(try context.find(ProjectTask.self, 500) === other)
        other.taskID = 501
        #expect(try context.find(ProjectTask.self, 501) === other && context.find(ProjectTask.self, 500) == nil)
        context.delete(objects[7])
        let last = context.task(600, "last")
        #expect(try context.find(ProjectTask.self, 600) === last && context.find(ProjectTask.self, 107) == nil)
        for (id, object) in zip(100..., objects) where id != 107 {
            #expect(try context.findOrCreate(ProjectTask.self, id) === object)
        }
        try context.save()
        for (id, object) in zip(100..., objects) where id != 107 {
            #expect(try context.find(ProjectTask.self, id) === object)
        }
        #expect(try context.count(ProjectTask.all) == 6 + 299 + 2)
    }

    @Test func `Texts of identities are compared by bytes`() throws {
        let composed = try context.findOrCreate(Milestone.self, "é", 1)
        let decomposed = try context.findOrCreate(Milestone.self, "e\u{301}", 1)
        #expect(composed !== decomposed)
        (composed.title, decomposed.title) = ("1", "2")
        try context.save()
        #expect(try context.count(Milestone.all) == 2)
        composed.title = "é"
        try context.save()
        composed.title = "e\u{301}"
        try context.save()
        #expect(try context.values(of: \.title, Milestone.where { $0.title == "e\u{301}" }).count == 1)
    }

    @Test func `An identity of another type is refused with what was expected`() throws {
        #expect(
            error { _ = try context.find(ProjectTask.self, "7") }?.message
                == "expected the identity (taskID: integer) of 'ProjectTask', found ('7')")
        #expect(error { _ = try context.find(Milestone.self, "A") }?.kind == .misuse)
        #expect(error { _ = try context.find(Review.self, 1) }?.message == "the class 'Review' has no identity")
    }

    @Test func `Finders of the class return objects that meet a condition`() throws {
        #expect(try ProjectTask.findFirst(in: context) { $0.hours > 4 }?.taskID == 2)
        #expect(try ProjectTask.findAll(in: context).count == 6)
        #expect(try ProjectTask.findAll(in: context) { $0.hours > 4 }.map(\.taskID) == [2, 4])
    }

    // MARK: Bulk changes

    @Test func `A bulk update changes the store, and the objects of the context are read again`() throws {
        let tasks = try context.fetch(ProjectTask.all)
        tasks[1].hours = 9
        let bob = try #require(try context.find(User.self, 2))
        #expect(bob.tasks.count == 1)
        let count = try context.update(ProjectTask.where { $0.project.name == "Kettle" }) {
            $0.set(\.name, to: "changed")
            $0.set(\.estimate, to: nil)
            $0.set(\.assignedUser, to: bob)
        }
        #expect(count == 3 && tasks[0].name == "changed" && tasks[0].estimate == nil && tasks[3].name == "Paint")
        #expect(tasks[0].assignedUser === bob && bob.tasks.count == 3)
        #expect(tasks[1].hours == 9)
        try context.save()
        #expect(try context.aggregate(ProjectTask.where { $0.name == "changed" }) { $0.hours.sum() } == 13)
        #expect(try context.update(ProjectTask.all.sorted(by: \.taskID).limit(2)) { $0.set(\.hours, to: 0) } == 2)
        #expect(tasks[1].hours == 0 && tasks[2].hours == 1)
    }

    @Test func `A bulk update keeps ordered lists`() throws {
        let (kettle, shed) = (
            try #require(try context.find(Project.self, 1)), try #require(try context.find(Project.self, 2))
        )
        for number in 1...4 {
            let milestone = try context.findOrCreate(Milestone.self, "A", number)
            milestone.title = "\(number)"
            (number == 1 ? shed : kettle).milestones.append(milestone)
        }
        try context.save()
        try context.update(Milestone.where { $0.number > 2 }) { $0.set(\.project, to: shed) }
        #expect(shed.milestones.map(\.number) == [1, 3, 4] && kettle.milestones.map(\.number) == [2])
        #expect(try context.store.rows(sql: "PRAGMA foreign_key_check").isEmpty)
    }

    @Test func `A bulk update does not connect an object that others deleted`() throws {
        let shed = try #require(try context.find(Project.self, 2))
        let other = ObjectContext(context.store)
        try other.delete(Project.where { $0.projectID == 2 })
        let failure = error { try context.update(ProjectTask.all) { $0.set(\.project, to: shed) } }
        #expect(failure?.kind == .missingObject)
        let text = "cannot set the relationship 'project' of 'ProjectTask': the object Project/2 is not in the store"
        #expect(failure?.message == text + " any more")
        #expect(try context.store.rows(sql: "PRAGMA foreign_key_check").isEmpty)
    }

    @Test func `A bulk update refuses what a save would refuse`() throws {
        #expect(error { try context.update(ProjectTask.all) { $0.set(\.hours, to: .nan) } }?.kind == .misuse)
        #expect(error { try context.update(ProjectTask.all) { $0.set(\.selections, to: 1) } }?.kind == .misuse)
        #expect(error { try context.update(Milestone.all) { $0.set(\.title, to: nil) } }?.kind == .misuse)
        #expect(error { try context.update(ProjectTask.all) { $0.set(\.taskID, to: 1) } }?.kind == .constraint)
        let new = Project(in: context)
        #expect(error { try context.update(ProjectTask.all) { $0.set(\.project, to: new) } }?.kind == .missingObject)
        #expect(try context.count(ProjectTask.where { $0.hours > 0 }) == 5)
    }

    @Test func `A bulk delete removes objects, links and, by rule, other objects`() throws {
        let project = try #require(try context.find(Project.self, 1))
        let tasks = try context.fetch(ProjectTask.all)
        let milestone = try context.findOrCreate(Milestone.self, "A", 1)
        milestone.title = "x"
        milestone.project = project
        try context.save()
        tasks[0].name = "changed"
        #expect(try context.delete(Project.where { $0.name == "Kettle" }) == 1)
        #expect(project.managed.state == .deleted && milestone.managed.state == .deleted)
        #expect(tasks[0].project == nil && tasks[0].name == "changed" && tasks[1].project == nil)
        try context.save()
        #expect(try context.count(Milestone.all) == 0 && context.count(ProjectTask.where { $0.project == nil }) == 4)
        #expect(try context.fetch(User.where { $0.projects.isEmpty }).map(\.name) == ["Ann"])
        #expect(try context.store.rows(sql: "PRAGMA foreign_key_check").isEmpty)
        #expect(try context.store.rows(sql: #"SELECT * FROM "User_projects""#).count == 1)
        // Row numbers are never used again.
        #expect(try context.delete(Project.all) == 1)
        context.project(9, "new")
        try context.save()
        #expect(try context.ids(Project.all).map(\.description) == ["Project/3"])
    }

    @Test func `A bulk delete that a rule denies deletes nothing`() throws {
        let milestone = try context.findOrCreate(Milestone.self, "A", 1)
        milestone.title = "x"
        milestone.project = try context.find(Project.self, 1)
        Review(in: context).milestone = milestone
        try context.save()
        let denial = error { try context.delete(Project.all) }
        #expect(denial?.kind == .invalidObjects)
        #expect(
            denial?.problems.map(\.description) == [
                "Milestone.reviews of Milestone/1: cannot be deleted while 'reviews' has objects (delete rule .deny)"
            ])
        #expect(try context.count(Project.all) == 2)
        try context.delete(Review.all)
        #expect(try context.delete(Project.all) == 2)
    }

    @Test func `An object that moved away from a deleted one is saved`() throws {
        let tasks = try context.fetch(ProjectTask.where { $0.project.name == "Kettle" }.prefetch(\.project))
        let shed = try #require(try context.find(Project.self, 2))
        tasks[0].project = shed
        tasks[1].project = nil
        context.delete(try #require(try context.find(Project.self, 1)))
        try context.save()
        #expect(try context.count(ProjectTask.where { $0.project == shed }) == 3)
        #expect(try context.count(ProjectTask.where { $0.project == nil }) == 3)
    }

    // MARK: SQL

    @Test func `SQL statements take arguments, and return objects, rows or a number`() throws {
        let sql = #"SELECT "_id" FROM "ProjectTask" WHERE length("name") > ? ORDER BY "name" DESC"#
        #expect(try context.fetch(ProjectTask.self, sql: sql, arguments: [9]).map(\.taskID) == [1, 2])
        let rows = try context.store.rows(
            sql: #"SELECT "name", "hours" FROM "ProjectTask" WHERE "hours" > ?"#, arguments: [4.5])
        #expect(rows.map { $0["name"]?.text } == ["Build roof", "Paint"])
        let task = try #require(try context.find(ProjectTask.self, 1))
        let dirty = try #require(try context.find(ProjectTask.self, 2))
        dirty.hours = 20
        let count = try context.write(sql: #"UPDATE "ProjectTask" SET "name" = ? WHERE "hours" > 2"#, arguments: ["x"])
        #expect(count == 3 && task.name == "x" && dirty.hours == 20)
        try context.store.write(sql: #"UPDATE "ProjectTask" SET "name" = 'y'"#)
        #expect(task.name == "x")
        #expect(try context.fetch(ProjectTask.where { $0.name == "y" }).count == 6 && task.name == "y")
    }

    @Test func `Invalid SQL statements are refused`() throws {
        #expect(error { _ = try context.store.rows(sql: #"DELETE FROM "ProjectTask""#) }?.kind == .misuse)
        #expect(error { try context.write(sql: "SELEC") }?.kind == .misuse)
        #expect(error { try context.write(sql: "SELECT ?", arguments: []) }?.kind == .misuse)
        #expect(
            error { _ = try context.fetch(ProjectTask.self, sql: #"SELECT "name" FROM "ProjectTask" ORDER BY "_id""#) }?
                .message
                == "expected row numbers in the first column, found 'Build walls'")
        #expect(try context.count(ProjectTask.all) == 6)
    }
}
