import ObjectMapping
import Testing

@testable import ObjectStore

@Suite struct QueryTests {
    let context: ObjectContext

    init() throws { context = try ManagedModel.example() }

    @Test func `The query of the documentation returns names`() throws {
        let query = ProjectTask.where { $0.name.hasPrefix("Build") && $0.project.name == "Kettle" }.sorted(by: \.name)
        #expect(try context.fetch(query).map(\.name) == ["Build roof", "Build walls"])
    }

    @Test func `Values are compared, also optional with non-optional ones`() throws {
        #expect(try context.tasks { $0.hours > 3 } == [2, 4])
        #expect(try context.tasks { $0.hours >= 3 } == [1, 2, 4])
        #expect(try context.tasks { $0.hours < 1 } == [6])
        #expect(try context.tasks { $0.hours <= 1 } == [3, 6])
        #expect(try context.tasks { $0.estimate == 4 } == [1])
        #expect(try context.tasks { $0.estimate > 5 } == [2, 4])
        #expect(try context.tasks { $0.isDone == true } == [5] && context.tasks { $0.isDone } == [5])
        #expect(try context.tasks { !$0.isDone && $0.hours > 3 } == [2, 4])
        #expect(try context.tasks { $0.cost >= 10 } == [3, 4, 5])
        #expect(try context.tasks { $0.taskID == 3 && $0.name != "x" } == [3])
    }

    @Test func `Ranges and lists contain values`() throws {
        #expect(try context.tasks { 1...3 ~= $0.hours } == [1, 3, 5])
        #expect(try context.tasks { 1..<3 ~= $0.hours } == [3, 5])
        #expect(try context.tasks { $0.estimate.isIn(2...4) } == [1, 3, 5])
        #expect(try context.tasks { $0.name.isIn(["Rest", "Paint"]) } == [4, 6])
        #expect(try context.tasks { $0.taskID.isIn([1, 9]) } == [1])
        #expect(try context.tasks { $0.estimate.isIn([nil, 9]) } == [2, 6])
        #expect(try context.tasks { $0.taskID.isIn([]) } == [])
        #expect(try context.tasks { $0.cost.isIn([Decimal(8), Decimal(11)]) } == [1, 4])
    }

    @Test func `Nil is equal to nil only, and conditions have two values`() throws {
        #expect(try context.tasks { $0.estimate == nil } == [6])
        #expect(try context.tasks { $0.estimate != nil } == [1, 2, 3, 4, 5])
        #expect(try context.tasks { $0.estimate != 4 } == [2, 3, 4, 5, 6])
        #expect(try context.tasks { !($0.estimate == 4) } == [2, 3, 4, 5, 6])
        #expect(try context.tasks { !($0.estimate > 1) } == [6])
        #expect(try context.tasks { !($0.project.name.hasPrefix("K")) } == [4, 5, 6])
        #expect(try context.tasks { $0.project.name == nil } == [6])
        #expect(try context.tasks { !(!($0.estimate > 1)) } == [1, 2, 3, 4, 5])
        #expect(try context.tasks { !($0.estimate > 1 && $0.hours > 0) } == [6])
    }

    @Test func `Texts are tested by bytes, and folded by name`() throws {
        #expect(try context.tasks { $0.name.hasSuffix("aint") } == [4, 5])
        #expect(try context.tasks { $0.name.contains("ui") } == [1, 2])
        #expect(try context.tasks { $0.name.like("Bu%_il%") } == [3])
        #expect(try context.tasks { $0.name.matches("B[a-z]+ [rw].*") } == [1, 2])
        #expect(try context.tasks { $0.name.caseInsensitive == "PAINT" } == [4, 5])
        #expect(try context.tasks { $0.name.caseInsensitive.like("PAIN_") } == [4, 5])
        #expect(try context.tasks { $0.name.caseInsensitive.matches("PAIN\\S") } == [4, 5])
        #expect(try context.tasks { $0.name < "C" } == [1, 2, 3])
        context.task(7, "Café").hours = 1
        context.task(8, "Cafe\u{301}").hours = 1
        context.task(9, "GROẞE STRASSE").hours = 1
        for _ in 1...2 {
            #expect(try context.tasks { $0.name == "Café" } == [7])
            #expect(try context.tasks { $0.name.diacriticInsensitive == "Cafe" } == [7, 8])
            #expect(try context.tasks { $0.name.folded.hasPrefix("CÁFÉ") } == [7, 8])
            #expect(try context.tasks { $0.name.caseInsensitive == "große straße" } == [9])
            try context.save()
        }
    }

    @Test func `Conditions follow relationships`() throws {
        let ann = try #require(try User.findFirst(in: context) { $0.name == "Ann" })
        #expect(try context.tasks { $0.project == nil } == [6])
        #expect(try context.tasks { $0.project != nil && $0.assignedUser == nil } == [3, 4])
        #expect(try context.tasks { $0.assignedUser == ann } == [1, 5])
        #expect(try context.tasks { $0.assignedUser != ann } == [2, 3, 4, 6])
        #expect(try context.tasks { $0.project.owner == ann } == [1, 2, 3])
        #expect(try context.tasks { $0.project.owner.name == "Ann" && $0.assignedUser.name == "Bob" } == [2])
        #expect(try context.tasks { $0.project.tasks.count == 2 } == [4, 5])
        #expect(try context.tasks { $0.project.tasks.any { $0.hours > 7 } } == [1, 2, 3])
        let id = ann.managed.id
        #expect(try context.tasks { $0.assignedUser == id } == [1, 5])
        #expect(
            try context.fetch(Project.where { $0.tasks.any { $0.assignedUser.name == "Bob" } }).map(\.name) == [
                "Kettle"
            ])
        #expect(try context.fetch(Project.where { $0.tasks.all { $0.hours > 1 } }).map(\.name) == ["Shed"])
        #expect(try context.fetch(Project.where { $0.tasks.none { $0.isDone } }).map(\.name) == ["Kettle"])
        #expect(try context.fetch(Project.where { $0.members.count > 1 }).map(\.name) == ["Kettle"])
        #expect(try context.fetch(User.where { $0.projects.any { $0.name == "Shed" } }).map(\.name) == ["Bob"])
        #expect(
            try context.fetch(Project.where { $0.milestones.isEmpty && $0.members.contains(ann) }).map(\.name) == [
                "Kettle"
            ])
    }

    @Test func `Queries are sorted, limited and offset`() throws {
        #expect(try context.tasks(ProjectTask.all.sorted(by: \.name)) == [2, 1, 3, 4, 6, 5])
        #expect(try context.tasks(ProjectTask.all.sorted(by: \.hours, descending: true)) == [2, 4, 1, 5, 3, 6])
        #expect(
            try context.tasks(ProjectTask.all.sorted(by: \.project?.name).sorted(by: \.hours)) == [6, 3, 1, 2, 5, 4])
        #expect(
            try context.tasks(
                ProjectTask.all.sorted { [$0.project.name.descending, $0.name.caseInsensitive.ascending] })
                == [4, 5, 2, 1, 3, 6])
        #expect(try context.tasks(ProjectTask.all.sorted { $0.cost.ascending }) == [6, 1, 2, 3, 4, 5])
        #expect(try context.tasks(ProjectTask.all.sorted(by: \.name).offset(1).limit(2)) == [1, 3])
        #expect(try context.tasks(ProjectTask.all.limit(0)) == [])
        #expect(try context.fetchFirst(ProjectTask.all.sorted(by: \.hours))?.taskID == 6)
    }

    @Test func `Object fetches include unsaved changes, with limit and offset`() throws {
        let tasks = try context.fetch(ProjectTask.all)
        tasks[0].name = "Zero"
        context.delete(tasks[1])
        let new = context.task(7, "Build shelf")
        #expect(try context.tasks { $0.name.hasPrefix("Build") } == [7])
        #expect(try context.tasks(ProjectTask.all.sorted(by: \.name)) == [7, 3, 4, 6, 1, 5])
        #expect(try context.tasks(ProjectTask.all.sorted(by: \.name).offset(1).limit(3)) == [3, 4, 6])
        #expect(try context.tasks(ProjectTask.all) == [1, 3, 4, 5, 6, 7])
        new.project = tasks[3].project
        tasks[3].project?.name = "Kettle 2"
        #expect(try context.tasks { $0.project.name == "Kettle 2" } == [4, 5, 7])
        #expect(try context.tasks { $0.project.name == "Shed" } == [])
        #expect(try context.fetch(Project.where { $0.tasks.count > 2 }).map(\.name) == ["Kettle 2"])
        let kettle = try #require(try context.find(Project.self, 1))
        kettle.members = []
        #expect(try context.fetch(User.where { $0.projects.isEmpty }).map(\.name) == ["Ann"])
        context.delete(kettle)
        #expect(try context.tasks { $0.project == nil } == [1, 3, 6])
        #expect(try context.tasks { $0.project == kettle } == [])
        #expect(try context.tasks { $0.assignedUser.name == "Ann" }.count == 2)
    }

    @Test func `Counts, IDs, snapshots, values and aggregates are read from the store only`() throws {
        let tasks = try context.fetch(ProjectTask.all)
        tasks[0].hours = 100
        context.task(7, "new").hours = 50
        let query = ProjectTask.where { $0.hours > 2 }
        #expect(try context.count(query) == 3)
        #expect(try context.count(query.limit(2)) == 2)
        #expect(try context.count(ProjectTask.all.offset(4)) == 2)
        #expect(try context.ids(query).map(\.description) == ["ProjectTask/1", "ProjectTask/2", "ProjectTask/4"])
        #expect(try context.snapshots(query).map(\.hours) == [3, 8, 5])
        #expect(try context.values(of: \.name, query.sorted(by: \.hours)) == ["Build walls", "Paint", "Build roof"])
        #expect(try context.values(of: \.isDone, ProjectTask.all.distinct().sorted(by: \.isDone)) == [false, true])
        #expect(try context.values(of: \.estimate, ProjectTask.where { $0.taskID > 4 }) == [3, nil])
        #expect(try context.aggregate(query) { $0.hours.sum() } == 16)
    }

    @Test func `Aggregates are computed, also by group`() throws {
        let (count, sum, least, most) = try context.aggregate(ProjectTask.all) {
            ($0.rowCount(), $0.hours.sum(), $0.hours.min(), $0.name.max())
        }
        #expect(count == 6 && sum == 19 && least == 0 && most == "paint")
        #expect(try context.aggregate(ProjectTask.all) { $0.taskID.average() } == 3.5)
        #expect(try context.aggregate(ProjectTask.all) { $0.estimate.count() } == 5)
        #expect(try context.aggregate(ProjectTask.all) { $0.isDone.countDistinct() } == 2)
        #expect(try context.aggregate(ProjectTask.all) { $0.cost.sum() } == 50)
        #expect(try context.aggregate(ProjectTask.all) { $0.cost.average() } == 10)
        #expect(try context.aggregate(ProjectTask.all) { $0.cost.max() } == Decimal(12))
        #expect(try context.aggregate(ProjectTask.where { $0.hours > 99 }) { $0.cost.average() } == nil)
        let groups = try context.aggregate(ProjectTask.all, by: { $0.project.name }) { ($0.rowCount(), $0.hours.sum()) }
        #expect(groups.map(\.key) == [nil, "Kettle", "Shed"])
        #expect(groups.map { $0.values.0 } == [1, 3, 2] && groups.map { $0.values.1 } == [0, 12, 7])
        let estimates = try context.aggregate(ProjectTask.all, by: { $0.estimate }) { $0.rowCount() }
        #expect(estimates.first?.key == nil && estimates.count == 6)
        #expect(try context.aggregate(ProjectTask.all.sorted(by: \.hours).limit(3)) { $0.hours.sum() } == 3)
    }

    @Test func `Prefetching reads relationships with the objects`() throws {
        let other = ObjectContext(context.store)
        let log = StatementLog(context.store)
        let tasks = try other.fetch(ProjectTask.all.prefetch(\.project).prefetch(\.assignedUser))
        #expect(log.take().filter { $0.hasPrefix("SELECT") }.count == 3)
        #expect(
            tasks.compactMap { $0.project?.name }.count == 5 && tasks.compactMap { $0.assignedUser?.name }.count == 3)
        #expect(log.take().isEmpty)
        let projects = try other.fetch(Project.all.prefetch(\.tasks))
        _ = log.take()
        #expect(projects.map(\.tasks.count) == [3, 2] && log.take().isEmpty)
    }

    @Test func `A key path that is not stored is an error when the query runs`() throws {
        func error(_ query: ObjectQuery<ProjectTask>) -> StoreError? {
            do throws(StoreError) {
                _ = try context.fetch(query)
                return nil
            } catch {
                return error
            }
        }
        let summary = error(ProjectTask.where { $0.summary == "x" })
        #expect(summary?.kind == .misuse && summary?.message.contains("of 'ProjectTask'") == true, "\(summary as Any)")
        let transient = error(ProjectTask.where { $0.hours > 1 && !($0.selections == 1) })
        #expect(transient?.message.contains("'selections'") == true)
        #expect(error(ProjectTask.all.sorted(by: \.name.count))?.kind == .misuse)
        #expect(error(ProjectTask.all.sorted(by: \.project?.name.count))?.kind == .misuse)
        #expect(error(ProjectTask.where { $0.hours == .nan })?.message.contains("'hours'") == true)
        #expect(error(ProjectTask.where { $0.name.matches("(") })?.message.contains("'('") == true)
        #expect(error(ProjectTask.where { $0.project == Project() })?.kind == .misuse)
        #expect(throws: StoreError.self) { try context.fetch(Department.all) }
    }

    @Test func `A query is explained`() throws {
        let text = try context.explain(ProjectTask.where { $0.name.hasPrefix("Build") && $0.project.name == "Kettle" })
        #expect(text.contains("- SEARCH ProjectTask USING INDEX"), "\(text)")
        #expect(text.hasPrefix("SELECT "))
    }
}
