import Dispatch
import Foundation
import ObjectMapping
import TestSupport
import Testing

@testable import ObjectStore

/// A service that keeps its objects in files, so that it survives the processes that use it.
private struct FileService: IncrementalStore {
    let folder: URL

    func metadata() -> RemoteMetadata {
        RemoteMetadata(typeName: "Files", identifier: "files", entities: ["Poet", "Poem"])
    }

    private func file(_ change: RemoteChange) -> URL {
        folder.appending(path: "\(change.object.entity)-\(change.object.identity["id"]?.integer ?? 0).json")
    }

    func fetch(_ fetch: RemoteFetch) -> RemoteObjects { .none(isComplete: false) }

    func save(_ change: RemoteChange) throws -> RemoteOutcome {
        let file = file(change)
        var members: [String: JSON] = [:]
        if change.operation == .update {
            for member in try JSON(Data(contentsOf: file)).object ?? [:] { members[member.key] = member.value }
        } else if FileManager.default.fileExists(atPath: file.path) {
            try Data().write(to: folder.appending(path: "twice-\(file.lastPathComponent)"))
        }
        for (name, value) in change.values {
            members[name] = value.text.map { .string($0) } ?? .integer(value.integer ?? 0)
        }
        let object = JSON.object(JSONObject(members.map { (key: $0.key, value: $0.value) }))
        try object.data.write(to: file, options: .atomic)
        return .saved()
    }

    func find(_ change: RemoteChange) throws -> RemoteLookup {
        guard FileManager.default.fileExists(atPath: file(change).path) else { return .notFound }
        let id: JSON = ["id": .integer(change.object.identity["id"]?.integer ?? 0)]
        return .found(
            change.object.entity == "Poet"
                ? RemoteObjects(id, with: Poet.mapping) : RemoteObjects(id, with: Poem.mapping))
    }
}

@Suite struct KilledRemoteSaveTests {
    private static func store(_ path: String) async throws -> ManagedObjectStore {
        let folder = URL(fileURLWithPath: path)
        return try await ManagedObjectStore.open(
            at: folder.appending(path: "store.sqlite"), model: FolderRemote.model(), remote: FileService(folder: folder)
        )
    }

    /// Each save inserts a poet with two poems and changes the poet before; a draft, which only the file has, counts them.
    @Test(arguments: killMoments(4, upTo: 250))
    func `a process that is killed during a save through a remote loses nothing and sends nothing twice`(
        milliseconds: Int
    ) async throws {
        let folder = try TemporaryDirectory()
        await #expect(processExitsWith: .signal(SIGKILL)) {
            [path = folder.path as String, milliseconds = milliseconds as Int] in
            let store = try await Self.store(path)
            let context = ObjectContext(store)
            DispatchQueue(label: "kill").asyncAfter(deadline: .now() + .milliseconds(milliseconds)) {
                kill(getpid(), SIGKILL)
            }
            var earlier: Poet?
            for number in 1... {
                let poet = Poet(in: context)
                (poet.id, poet.name) = (number, "new")
                for poem in 0..<2 {
                    let novel = Poem(in: context)
                    (novel.id, novel.title, novel.writer) = (number * 10 + poem, "\(number)", poet)
                }
                earlier?.name = "old"
                Scrap(in: context).text = "\(number)"
                try await context.save()
                earlier = poet
                try Data("\(number)".utf8).write(to: URL(fileURLWithPath: path + "/acknowledged"), options: .atomic)
            }
        }
        let acknowledged =
            (try? String(contentsOf: folder.file("acknowledged"), encoding: .utf8)).flatMap { Int($0) } ?? 0
        let store = try await Self.store(folder.path)
        let context = ObjectContext(store)
        for save in try store.interruptedSaves {
            try context.restore(save)
            try await context.save()
        }
        #expect(try store.interruptedSaves.isEmpty)

        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(files.filter { $0.hasPrefix("twice") } == [])
        let poets = try await context.fetch(Poet.all.sorted(by: \.id))
        let poems = try await context.fetch(Poem.all.sorted(by: \.id))
        // Nothing lost: what was acknowledged is here, and the file agrees with the service.
        #expect(poets.count >= acknowledged && poets.count <= acknowledged + 1)
        #expect(poems.count == poets.count * 2 && poems.allSatisfy { $0.writer?.id == $0.id / 10 })
        #expect(Set(files.filter { $0.hasPrefix("Poet-") }) == Set(poets.map { "Poet-\($0.id).json" }))
        #expect(Set(files.filter { $0.hasPrefix("Poem-") }) == Set(poems.map { "Poem-\($0.id).json" }))
        for poet in poets {
            let sent = try JSON(Data(contentsOf: folder.file("Poet-\(poet.id).json")))
            #expect(sent["name"].string == poet.name)
        }
        #expect(poets.dropLast(2).allSatisfy { $0.name == "old" })
        #expect(try store.count(of: "Scrap") >= acknowledged)
        store.close()
        #expect(try SeedDatabase(at: folder.file("store.sqlite")).damages().isEmpty)
    }
}
