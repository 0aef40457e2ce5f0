@testable import ObjectMapping
import Testing

@Suite("Members that a mapping does not write") struct OmittingTests {
    final class Project: Mappable {
        var id = 0
        var name = ""
        var tasks: [Job] = []
        static let mapping = Mapping(Project.init) {
            Attribute("id", \.id)
            Attribute("name", \.name)
            Relationship("tasks", \.tasks)
        }
    }

    final class Job: Mappable {
        var id = 0
        weak var project: Project?
        static let mapping = Mapping(Job.init) {
            Attribute("id", \.id)
            Relationship("project", \.project)
        }
    }

    private static let user = {
        var user = WrittenUser()
        (user.id, user.name) = (7, "Ada")
        user.address = WrittenUser.Address(street: "S", city: "London", zip: "N1")
        user.best = WrittenFriend(id: 1, name: "Charles")
        user.friends = [WrittenFriend(id: 2, name: "Luigi"), WrittenFriend(id: 3)]
        return user
    }()

    private static let complete =
        #"{"id":7,"name":"Ada","address":{"city":"London","geo":{"zip":"N1"},"street":"S"},"is_admin":false,"scores":[],"#
        + #""tags":[],"friends":[{"id":2,"name":"Luigi"},{"id":3}],"best":{"id":1,"name":"Charles"}}"#

    @Test(
        arguments: [
            (["id", "is_admin"], [#""id":7,"#, #""is_admin":false,"#]),
            (["address"], [#""address":{"city":"London","geo":{"zip":"N1"},"street":"S"},"#]),
            (["address.geo"], [#""geo":{"zip":"N1"},"#]), (["address.geo.zip"], [#""geo":{"zip":"N1"},"#]),
            (
                ["best", "friends"],
                [#","friends":[{"id":2,"name":"Luigi"},{"id":3}],"best":{"id":1,"name":"Charles"}"#]
            ),
            (["best.name"], [#","name":"Charles""#]), (["friends.name"], [#","name":"Luigi""#]),
            (["best.name", "friends.name"], [#","name":"Charles""#, #","name":"Luigi""#]),
            (["nickname"], []),
        ] as [([JSONKeyPath], [String])])
    func `Members at key paths are not written`(_ keyPaths: [JSONKeyPath], _ missing: [String]) throws {
        let mapping = keyPaths.reduce(WrittenUser.mapping) { $0.omitting($1) }
        let expected = missing.reduce(Self.complete) { $0.replacing($1, with: "") }
        #expect(String(decoding: try mapping.serialize(Self.user), as: UTF8.self) == expected)
        #expect(try mapping.json(of: [Self.user]).text == "[\(expected)]")
        #expect(String(decoding: try WrittenUser.mapping.serialize(Self.user), as: UTF8.self) == Self.complete)
        try mapping.validate()
    }

    @Test func `Changes do not contain omitted members`() throws {
        let mapping = WrittenUser.mapping.omitting("name", "friends.name", "address.city")
        var new = Self.user
        (new.name, new.address.city) = ("Grace", "Paris")
        new.friends[0].name = "Enzo"
        let old = Self.user
        #expect(try mapping.changes(of: new, from: old) == nil)
        #expect(String(decoding: try mapping.serialize(new, changedFrom: old), as: UTF8.self) == "{}")
        new.address.street = "T"
        #expect(try mapping.changes(of: new, from: old)?.text == #"{"address":{"street":"T"}}"#)
        // A form that the complete mapping wrote.
        let written = try WrittenUser.mapping.json(of: old)
        #expect(try mapping.changes(of: new, from: written)?.text == #"{"address":{"street":"T"}}"#)
        #expect(try mapping.omitting("id").changes(of: new, from: old, includingIdentity: true)?["id"].exists == false)
    }

    @Test func `An omitted relationship ends a cycle`() throws {
        let project = Project()
        (project.id, project.name) = (1, "Boat")
        let job = Job()
        (job.id, job.project) = (2, project)
        project.tasks = [job]
        #expect(throws: MappingError.self) { try Project.mapping.serialize(project) }
        let mapping = Project.mapping.omitting("tasks.project")
        #expect(try mapping.json(of: project).text == #"{"id":1,"name":"Boat","tasks":[{"id":2}]}"#)
        let job2 = Job.mapping.omitting("project.tasks", "project.name")
        #expect(try job2.json(of: job).text == #"{"id":2,"project":{"id":1}}"#)
    }

    @Test func `Reading is unchanged, and equal key paths give the same mapping`() throws {
        let mapping = WrittenUser.mapping.omitting("name")
        #expect(try mapping.map(Self.complete) == WrittenUser.mapping.map(Self.complete))
        #expect(mapping.storage === WrittenUser.mapping.omitting("name").storage)
        #expect(mapping.storage !== WrittenUser.mapping.omitting("id").storage)
    }

    /// A shape that is written by the case of its kind.
    enum Shape: Mappable, Equatable {
        case circle(Circle), square(Square)

        struct Circle: Mappable, Equatable {
            var radius = 0
            var note: String?
            static let mapping = Mapping(Circle.init) {
                Attribute("radius", \.radius); Attribute("note", \.note)
            }
        }
        struct Square: Mappable, Equatable {
            var side = 0
            static let mapping = Mapping(Square.init) { Attribute("side", \.side) }
        }

        static let mapping = Mapping<Shape>(matching: {
            Match("kind", is: "circle", Circle.mapping, Shape.circle) {
                if case .circle(let own) = $0 { own } else { nil }
            }
            Match("kind", is: "square", Square.mapping, Shape.square) {
                if case .square(let own) = $0 { own } else { nil }
            }
        })
    }

    @Test func `Members of cases are omitted, but not the member that selects a case`() throws {
        let mapping = Shape.mapping.omitting("note")
        let circle = Shape.circle(Shape.Circle(radius: 3, note: "big"))
        #expect(try mapping.json(of: circle).text == #"{"kind":"circle","radius":3}"#)
        #expect(try mapping.json(of: .square(Shape.Square(side: 2))).text == #"{"kind":"square","side":2}"#)
        let error = #expect(throws: MappingError.self) { try Shape.mapping.omitting("kind").json(of: circle) }
        #expect(error?.issues.first?.expected == "an omitted member that does not select a case")
    }

    @Test(arguments: [
        ("nmae", "a member that the mapping writes, to omit it", "'nmae'"),
        ("best.nmae", "a member that the mapping writes, to omit it", "'best.nmae'"),
        ("name.first", "a member that the mapping writes, to omit it", "'name.first'"),
        ("posts", "a member that the mapping writes, to omit it", "'posts'"),
        ("", "plain keys as the key path of an omitted member", "''"),
        ("friends.@count", "plain keys as the key path of an omitted member", "'friends.@count'"),
        ("friends..name", "plain keys as the key path of an omitted member", "'friends..name'"),
    ])
    func `A key path that the mapping does not write is an error`(
        _ keyPath: String, _ expected: String, _ found: String
    ) throws {
        let mapping = WrittenUser.mapping.omitting("id", JSONKeyPath(keyPath))
        let error = #expect(throws: MappingError.self) { try mapping.serialize(Self.user) }
        #expect(error?.issues.count == 1)
        #expect(error?.issues.first?.kind == .mapping)
        #expect(error?.issues.first?.expected == expected)
        #expect(error?.issues.first?.found == found)
        #expect(throws: MappingError.self) { try mapping.changes(of: Self.user, from: [:]) }
        #expect(throws: MappingError.self) { try mapping.validate() }
        #expect(try mapping.map(Self.complete).id == 7)
    }

    @Test(
        arguments: [
            ("nickame", ["nickname"]), ("zip", ["address.geo.zip"]), ("geo", ["address.geo"]),
            ("address.zip", ["address.geo.zip"]), ("best.nmae", ["best.name"]), ("since", ["friends.since"]),
            ("nowhere.zip", ["address.geo.zip"]), ("nowhere.abc", []),
        ] as [(String, [String])])
    func `A misspelt or incomplete key path has a complete one as suggestion`(
        _ keyPath: String, _ suggestions: [String]
    ) throws {
        let error = #expect(throws: MappingError.self) {
            try WrittenUser.mapping.omitting(JSONKeyPath(keyPath)).serialize(Self.user)
        }
        #expect(error?.issues.first?.suggestions == suggestions)
    }

    @Test func `A rule that only reads can be omitted`() throws {
        struct Note: Mappable {
            var id = 0
            var author: WrittenFriend?
            static let mapping = Mapping(Note.init) {
                Attribute("id", \.id)
                Relationship("author", \.author).readOnly
            }
        }
        let note = Note(id: 1, author: WrittenFriend(id: 2))
        #expect(try Note.mapping.omitting("author", "author.id").json(of: note).text == #"{"id":1}"#)
    }
}
