import ObjectLoading
import Testing

@Suite("Routes")
struct RouterTests {
    final class Photo {
        var id: Int? = 7
        var album: Album? = Album()
        var name = "a/b ü"
    }

    final class Album {
        var number = 3
    }

    @Test func `The values of properties are parameters of a path, percent-encoded`() throws {
        let router = Router()
        router.add(Photo.self, "/photos/\(\.id)")
        router.add(Photo.self, .put, "/albums/\(\.album?.number)/photos/\(\.name).json")
        router.add(Photo.self, methods: [.post, .delete], "/v\(\.id)beta")
        router.add(Photo.self, .head, "photos/\(\.id):archive")
        #expect(try router.path(for: Photo(), method: .head) == "/photos/7:archive")
        #expect(try router.path(for: Photo()) == "/photos/7")
        #expect(try router.path(for: Photo(), method: .put) == "/albums/3/photos/a%2Fb%20%C3%BC.json")
        #expect(try router.path(for: Photo(), method: .delete) == "/v7beta")
        #expect(try router.path(for: Photo(), method: .patch) == "/photos/7")
    }

    @Test func `A route for one method precedes one for several, and this one a route for any method`() throws {
        let router = Router()
        router.add(Photo.self, "/any")
        router.add(Photo.self, methods: [.get, .post], "/several")
        router.add(Photo.self, .post, "/one")
        let paths = try [.get, .post, .put].map { try router.path(for: Photo(), method: $0) }
        #expect(paths == ["/several", "/one", "/any"])
    }

    @Test func `A property without a value is an error that names it`() throws {
        let router = Router()
        router.add(Photo.self, "/photos/\(\.id)")
        router.add(Photo.self, .post, "/albums/\(\.album?.number)/photos")
        let photo = Photo()
        (photo.id, photo.album) = (nil, nil)
        let error = #expect(throws: RouteError.self) { try router.path(for: photo) }
        #expect(error?.kind == .missingValue(parameter: "id"))
        let other = #expect(throws: RouteError.self) { try router.path(for: photo, method: .post) }
        #expect(other?.kind == .missingValue(parameter: "album.number"))
        photo.id = 1
        #expect(try router.path(for: photo) == "/photos/1")
    }

    @Test func `A value of dots is an error, because it would change the path`() throws {
        let router = Router()
        router.add(Photo.self, "/photos/\(\.name)/edit")
        let photo = Photo()
        photo.name = ".."
        let error = #expect(throws: RouteError.self) { try router.path(for: photo) }
        #expect(error?.kind == .invalidValue(parameter: "name"))
    }

    @Test func `An identity that was never assigned is no value, also that of a related object`() async throws {
        let router = Router()
        router.add(ProjectTask.self, "/tasks/\(\.taskID)")
        router.add(ProjectTask.self, .post, "/projects/\(\.project?.projectID)/tasks")
        let store = try ManagedObjectStore(inMemory: ObjectModel(Project.self, ProjectTask.self))
        try await store.perform { context in
            let task = context.insert(ProjectTask.self)
            let error = #expect(throws: RouteError.self) { try router.path(for: task) }
            #expect(error?.kind == .missingValue(parameter: "taskID"))
            task.project = context.insert(Project.self)
            let other = #expect(throws: RouteError.self) { try router.path(for: task, method: .post) }
            #expect(other?.kind == .missingValue(parameter: "project.projectID"))
            task.taskID = 0
            task.project?.projectID = 5
            #expect(try router.path(for: task) == "/tasks/0")
            #expect(try router.path(for: task, method: .post) == "/projects/5/tasks")
            try context.save()
            #expect(try router.path(for: task) == "/tasks/0")
        }
    }

    @Test func `Routes of relationships and names are separate from those of classes`() throws {
        let router = Router()
        router.add(Project.self, relationship: \.tasks, "/projects/\(\.projectID)/tasks")
        router.add(named: "search", "/search/:term")
        let project = Project()
        project.projectID = 4
        #expect(try router.path(for: project, relationship: \.tasks) == "/projects/4/tasks")
        #expect(try router.path(named: "search", ["term": "a/b"]) == "/search/a%2Fb")
        let error = #expect(throws: RouteError.self) { try router.path(for: project) }
        #expect(error?.description == "no route for Project with GET; add it to the router")
        let misspelled = #expect(throws: RouteError.self) { try router.path(named: "serch") }
        #expect(misspelled?.description.hasSuffix("; did you mean 'search'?; add it to the router") == true)
        let missing = #expect(throws: RouteError.self) { try router.path(named: "search") }
        #expect(missing?.kind == .missingValue(parameter: "term"))
    }

    @Test func `Two routes for an object and a method are an error when they are used`() throws {
        let router = Router()
        router.add(Photo.self, methods: [.get, .put], "/a")
        router.add(Photo.self, methods: [.put, .delete], "/b")
        let error = #expect(throws: RouteError.self) { try router.path(for: Photo(), method: .put) }
        #expect(error?.kind == .duplicate)
        #expect(try router.path(for: Photo()) == "/a")
        #expect(error?.description.contains("'/a' and '/b'") == true)
        router.add(named: "x", "/x")
        router.add(named: "x", .post, "/x")
        #expect(throws: RouteError.self) { try router.path(named: "x") }
    }

    @Test(
        arguments: [
            ("/photos/7", "Photo", ["id": "7"]), ("/photos/latest", "latest", [:]),
            ("/photos/a%2Fb?x=1", "Photo", ["id": "a/b"]),
            ("/albums/3/photos/x", "any", [:]), ("/photos", nil, nil), ("/photos/1/2", nil, nil),
        ] as [(String, String?, [String: String]?)])
    func `The most specific route of a path has its parameters`(
        _ path: String, _ name: String?, _ parameters: [String: String]?
    ) {
        let router = Router()
        router.add(named: "any", "/albums/*")
        router.add(Photo.self, "/photos/\(\.id)")
        router.add(named: "latest", "/photos/latest")
        let match = router.match(path)
        #expect((match?.name ?? match?.type.map { "\($0)" }) == name)
        #expect(match?.parameters == parameters)
    }
}
