import Foundation
import LoopbackServer
import ObjectLoading
import Synchronization
import Testing

/// Loads after the rows of an earlier response were written by something else.
@Suite("Rows that changed after a response")
struct StaleResponseTests {
    /// A service whose list of tasks and single tasks have the version and the names that a test sets.
    final class Versions: Sendable {
        let service: Service
        private let box: Box

        private final class Box: Sendable {
            let version = Mutex((tag: "A", names: ["Boil", "Fry"]))
        }

        init(file: URL? = nil) throws {
            let box = Box()
            let server = try LoopbackServer { request in
                let (tag, names) = box.version.withLock { $0 }
                let header = Header("ETag", "\"\(tag)\"")
                let condition = request.headers.first { $0.name.lowercased() == "if-none-match" }?.value
                guard request.method == "GET" else { return Answer(204) }
                let language = request.headers.first { $0.name.lowercased() == "accept-language" }?.value ?? ""
                let tasks = names.enumerated().map { index, name in
                    #"{"id": \#(index + 7), "name": "\#(name)\#(language)", "project_id": 4}"#
                }
                let isConditional = condition == header.value
                switch request.path {
                case "/tasks":
                    return isConditional
                        ? Answer(304, headers: [header])
                        : .json("[\(tasks.joined(separator: ","))]", 200, [header])
                case "/others":
                    return isConditional
                        ? Answer(304, headers: [header])
                        : .json(#"[{"id": 100, "name": "Other"}]"#, 200, [header])
                case "/tasks/7": return .json(tasks[0])
                default: return .json(#"[{"id": 4, "name": "Pier"}]"#)
                }
            }
            service = try Service(server)
            self.box = box
            let manager = service.manager
            manager.router.add(ProjectTask.self, "/tasks/\(\.taskID)")
            manager.bodies.add(ProjectTask.mapping)
            manager.responses.add(ProjectTask.mapping, path: "/tasks")
            manager.responses.add(ProjectTask.mapping, path: "/others")
            manager.responses.add(ProjectTask.mapping, path: "/tasks/:id")
            manager.responses.add(Project.mapping, path: "/projects")
        }

        func set(_ tag: String, _ names: String...) { box.version.withLock { $0 = (tag, names) } }

        /// The names of the tasks after a load, and how it was answered.
        func load(_ path: String = "/tasks", _ headers: HTTPHeaders = [:]) async throws -> String {
            let result = try await service.manager.load(path, headers: headers)
            let names = try await service.store.perform { context in
                try result.objects(of: ProjectTask.self, in: context).map(\.name)
            }
            return "\(names.joined(separator: " ")) \(result.isNotModified ? "unchanged" : "loaded")"
        }

        func change(_ change: @escaping @Sendable (ObjectContext) throws -> Void) async throws {
            try await service.store.perform { context in
                try change(context)
                try context.save()
            }
        }
    }

    @Test func `A newer object is not confirmed by an older list with the same tag`() async throws {
        let versions = try Versions()
        #expect(try await versions.load() == "Boil Fry loaded")
        versions.set("B", "Stew", "Fry")
        _ = try await versions.service.manager.load("/tasks/7")
        versions.set("A", "Boil", "Fry")
        #expect(try await versions.load() == "Boil Fry loaded")
        #expect(try await versions.load() == "Boil Fry unchanged")
    }

    @Test func `A list in another language is not confirmed after the first one`() async throws {
        let versions = try Versions()
        #expect(try await versions.load("/tasks", ["Accept-Language": "de"]) == "Boilde Fryde loaded")
        #expect(try await versions.load("/tasks", ["Accept-Language": "en"]) == "Boilen Fryen loaded")
        #expect(try await versions.load("/tasks", ["Accept-Language": "de"]) == "Boilde Fryde loaded")
        #expect(try await versions.load("/tasks", ["Accept-Language": "de"]) == "Boilde Fryde unchanged")
    }

    @Test func `A response that was not written completely leaves no condition for an earlier one`() async throws {
        let versions = try Versions()
        #expect(try await versions.load() == "Boil Fry loaded")
        try await versions.change { try $0.find(ProjectTask.self, 7)?.name = "Mine" }
        versions.set("B", "Boil", "Stew")
        #expect(try await versions.load() == "Mine Stew loaded")
        versions.set("A", "Boil", "Fry")
        #expect(try await versions.load() == "Mine Fry loaded")
    }

    @Test(arguments: ["save", "bulk", "sql", "store sql", "import", "delete"])
    func `Local writes make the next load unconditional`(_ kind: String) async throws {
        let versions = try Versions()
        _ = try await versions.service.manager.load("/projects")
        #expect(try await versions.load() == "Boil Fry loaded")
        #expect(try await versions.load() == "Boil Fry unchanged")
        let store = versions.service.store
        switch kind {
        case "save":
            try await versions.change { context in
                context.marksUnsentEdits = false
                try context.find(ProjectTask.self, 7)?.name = "Mine"
            }
        case "bulk": _ = try await store.perform { try $0.update(ProjectTask.all) { $0.set(\.name, to: "Mine") } }
        case "sql": try await store.perform { _ = try $0.write(sql: #"UPDATE "ProjectTask" SET "name" = 'Mine'"#) }
        case "store sql": try store.write(sql: #"UPDATE "ProjectTask" SET "name" = 'Mine'"#)
        case "import":
            _ = try await store.importJSON(Data(#"[{"id": 7, "name": "Mine"}]"#.utf8), with: ProjectTask.mapping)
        default: try await store.perform { _ = try $0.delete(Project.all) }
        }
        #expect(try await versions.load() == "Boil Fry loaded")
        #expect(try await versions.load() == "Boil Fry unchanged")
    }

    @Test func `Lists that share no rows, and equal values that are written again, remain conditional`() async throws {
        let versions = try Versions()
        #expect(try await versions.load() == "Boil Fry loaded")
        #expect(try await versions.load("/others") == "Other loaded")
        #expect(try await versions.load() == "Boil Fry unchanged")
        _ = try await versions.service.manager.load("/tasks/7")
        _ = try await versions.service.store.importJSON(
            Data(#"[{"id": 8, "name": "Fry"}]"#.utf8), with: ProjectTask.mapping)
        try await versions.change { try $0.find(ProjectTask.self, 8)?.name = "Fry" }
        #expect(try await versions.load() == "Boil Fry unchanged")
        #expect(try await versions.load("/others") == "Other unchanged")
    }
}
