import Foundation
import LoopbackServer
import ObjectLoading
import Synchronization
import Testing

@Suite("What answers prove about the objects of a path")
struct PruningEvidenceTests {
    /// A service whose store has the projects 1 to 3.
    private func loaded() async throws -> ChangingService {
        let service = try ChangingService()
        service.setProjects(1...3)
        _ = try await service.manager.load("/projects")
        return service
    }

    private func projects(_ ids: [Int], _ others: String = "") -> String {
        let texts = ids.map { #"{"id": \#($0), "name": "P\#($0)"}"# }
        return #"{"projects": [\#(texts.joined(separator: ", "))]\#(others)}"#
    }

    // MARK: Totals

    @Test(arguments: [
        #", "tasks": [{"id": 9, "name": "T9"}]"#, #", "featured": [{"id": 7, "name": "P7"}]"#,
    ])
    func `Objects at other key paths are not counted in a total`(_ others: String) async throws {
        let service = try await loaded()
        let manager = service.manager
        manager.responses.add(ProjectTask.mapping, at: "tasks", path: "/projects")
        manager.responses.add(Project.mapping, at: "featured", path: "/projects")
        let isTask = others.contains("tasks")
        let rest = isTask ? #", "featured": []"# : #", "tasks": []"#
        service.set("/projects", .json(projects([1, 2], others + rest), 200, [Header("X-Total-Count", "3")]))
        let incomplete = try await manager.load("/projects", pruning: .scope)
        #expect(incomplete.pruning?.refusal == .incomplete("it has 2 of 3 objects"))
        service.set("/projects", .json(projects([1, 2], others + rest), 200, [Header("X-Total-Count", "2")]))
        let complete = try await manager.load("/projects", pruning: .scope)
        #expect(complete.pruning?.refusal == nil && complete.deleted.map(\.description) == ["Project/3"])
        // The pages of a list, too.
        service.setProjects(1...3, [], "/all")
        manager.responses.add(Project.mapping, at: "projects", path: "/all")
        _ = try await manager.load("/all")
        let target = "/projects?page=1&per_page=25"
        service.set(target, .json(projects([1, 2], others + rest), 200, [Header("X-Total-Count", "3")]))
        service.set(
            "/projects?page=2&per_page=25", .json(projects([], #", "tasks": [], "featured": []"#), 200, []))
        var reports: [PruningReport] = []
        for try await page in manager.pages("/projects", .page(size: 25), pruning: .scope) {
            if let report = page.pruning { reports.append(report) }
        }
        #expect(reports.count == 1 && reports[0].refusal != nil && reports[0].deleted.isEmpty)
    }

    @Test(arguments: [
        ("X-Total-Count", "many"), ("X-Total", "-1"), ("Content-Range", "items 0-1/x"), ("Link", "next page"),
        ("Link", "<http://[>; rel=\"next\""),
    ])
    func `An answer with an unreadable count or link prunes nothing`(_ name: String, _ value: String) async throws {
        let service = try await loaded()
        service.set("/projects", .json(projects([1, 2]), 200, [Header(name, value)]))
        let result = try await service.manager.load("/projects", pruning: .scope)
        #expect(result.pruning?.refusal == .incomplete("the field '\(name)' cannot be read"))
        #expect(try await service.projects() == [1, 2, 3])
    }

    @Test func `A count that can be unknown prunes nevertheless`() async throws {
        let service = try await loaded()
        service.set("/projects", .json(projects([1, 2]), 200, [Header("Content-Range", "items 0-1/*")]))
        #expect(try await service.manager.load("/projects", pruning: .scope).deleted.count == 1)
    }

    @Test func `A page with a next link is followed by another one, whatever its count says`() async throws {
        let service = try ChangingService()
        service.setProjects(
            [1, 2], [Header("X-Total-Count", "2"), Header("Link", "</projects?page=2&per_page=2>; rel=\"next\"")],
            "/projects?page=1&per_page=2")
        service.setProjects([3], [Header("X-Total-Count", "3")], "/projects?page=2&per_page=2")
        var count = 0
        for try await page in service.manager.pages("/projects", .page(size: 2)) { count += page.objectIDs.count }
        #expect(count == 3)
    }

    // MARK: Other loads

    @Test func `A slow older answer does not prune what a newer one has found`() async throws {
        let gate = Gate()
        let count = Mutex(0)
        let server = try LoopbackServer { _ in
            let number = count.withLock { count in
                count += 1
                return count
            }
            if number == 2 {
                gate.wait()
                return .json(#"{"projects": [{"id": 1, "name": "P1"}]}"#)
            }
            return .json(#"{"projects": [{"id": 1, "name": "P1"}, {"id": 2, "name": "P2"}]}"#)
        }
        let service = try Service(server)
        let manager = service.manager
        manager.responses.add(Project.mapping, at: "projects", path: "/projects")
        manager.offline.add("/projects") { _ in [Project.all] }
        _ = try await manager.load("/projects")
        let old = Task { try await manager.load("/projects", pruning: .scope) }
        await gate.arrival()
        _ = try await manager.load("/projects")
        gate.open()
        #expect(try await old.value.deleted.isEmpty)
        #expect(try await service.projectNames() == ["P1", "P2"])
        #expect(try await manager.load("/projects", pruning: .scope).pruning?.refusal == nil)
    }

    @Test func `Objects that other loads have inserted are pruned, also if the answer is unchanged`() async throws {
        let service = try await loaded()
        let manager = service.manager
        manager.responses.add(Project.mapping, at: "projects", path: "/recent")
        service.setProjects(1...3, [Header("ETag", "\"1\"")])
        _ = try await manager.load("/projects", pruning: .scope)
        #expect(try await manager.load("/projects", pruning: .scope).isNotModified)
        service.setProjects([5], [], "/recent")
        _ = try await manager.load("/recent")
        let result = try await manager.load("/projects", pruning: .scope)
        #expect(result.deleted.count == 1)
        #expect(try await service.projects() == [1, 2, 3])
        #expect(try await manager.load("/projects", pruning: .scope).isNotModified)
    }

    @MainActor @Test func `An object that was kept for unsaved changes is pruned when it has none`() async throws {
        let service = try await loaded()
        let context = service.store.mainContext
        try await context.find(Project.self, 2)?.name = "Mine"
        let project = try await context.find(Project.self, 2)
        service.setProjects([1, 3], [Header("ETag", "\"1\"")])
        #expect(try await service.manager.load("/projects", pruning: .scope).pruning?.kept.count == 1)
        context.rollback()
        #expect(try await service.manager.load("/projects", pruning: .scope).deleted.count == 1)
        _ = project
    }

    @Test func `A list that a waiting connection has changed is not confirmed as unchanged`() async throws {
        let service = try ChangingService()
        let manager = service.manager
        service.set("/projects/1/tasks", .json(#"[{"id": 3, "project_id": 1}]"#))
        _ = try await manager.load("/projects/1/tasks")
        service.set(
            "/projects",
            .json(
                #"{"projects": [{"id": 1, "name": "P1", "tasks": [{"id": 2, "name": "T2"}]}]}"#, 200,
                [Header("ETag", "\"1\"")]))
        _ = try await manager.load("/projects")
        #expect(try await service.tasks() == ["2 of 1", "3 of 1"])
        #expect(try await !manager.load("/projects").isNotModified)
        #expect(try await service.tasks() == ["2 of 1", "3 of 0"])
        #expect(try await manager.load("/projects").isNotModified)
    }
}
