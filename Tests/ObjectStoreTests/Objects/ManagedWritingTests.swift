import Foundation
import ObjectMapping
import Testing

@testable import ObjectStore

final class Course: ManagedObject, Mappable {
    @Stored(.identity) var courseID = 0
    @Stored var title = ""
    @Stored var seats: Int? = nil
    @Stored var version = 0
    @ToOne var teacher: Teacher?
    @ToMany(inverse: \Lesson.course, isOrdered: true) var lessons: [Lesson]
    @ToMany(inverse: \CourseTopic.courses) var topics: [CourseTopic]

    static let mapping = Mapping(Course.self) {
        Attribute("id", \.courseID)
        Attribute("title", \.title)
        Attribute("seats", \.seats)
        Attribute("version", \.version).readOnly
        Relationship("teacher", \.teacher)
        Relationship("lessons", \.lessons)
        Relationship("topics", \.topics)
    }
    static let brief = Mapping(Course.self) { Attribute("id", \.courseID) }
    static let cyclic: Mapping<Course> = Mapping(Course.self) {
        Attribute("id", \.courseID)
        Relationship("teacher", \.teacher, Teacher.cyclic)
    }
}

final class Teacher: ManagedObject, Mappable {
    struct Address: Codable, Hashable, JSONConvertible { var city = "", street: String? = nil }

    @Stored(.identity) var teacherID = 0
    @Stored var name = ""
    @Stored var address = Address()
    @ToMany(inverse: \Course.teacher) var courses: [Course]

    static let mapping = Mapping(Teacher.self) {
        Attribute("id", \.teacherID)
        Attribute("name", \.name)
        Attribute("address", \.address)
    }
    /// Writes the courses, which write their teacher.
    static let cyclic: Mapping<Teacher> = Mapping(Teacher.self) {
        Attribute("id", \.teacherID)
        Relationship("courses", \.courses, Course.cyclic)
    }
    static let withCourses = Mapping(Teacher.self) {
        Attribute("id", \.teacherID)
        Relationship("courses", \.courses, Course.brief)
    }
}

final class Lesson: ManagedObject, Mappable {
    @Stored(.identity) var lessonID = 0
    @ToOne var course: Course?
    @ToOne var room: LessonRoom?

    static let mapping = Mapping(Lesson.self) {
        Attribute("id", \.lessonID)
        Relationship("room", \.room)
    }
}

final class LessonRoom: ManagedObject, Mappable {
    @Stored(.identity) var name = ""
    static let mapping = Mapping(LessonRoom.self) { Attribute("name", \.name) }
}

final class CourseTopic: ManagedObject, Mappable {
    @Stored(.identity) var name = ""
    @ToMany var courses: [Course]
    @ToOne var parent: CourseTopic?
    @ToMany(inverse: \CourseTopic.parent) var parts: [CourseTopic]
    static let mapping = Mapping(CourseTopic.self) { Attribute("name", \.name) }
    static let tree: Mapping<CourseTopic> = Mapping(CourseTopic.self) {
        Attribute("name", \.name)
        Relationship("parts", \.parts, CourseTopic.tree)
    }
}

@Suite struct ManagedWritingTests {
    let store: ManagedObjectStore
    let context: ObjectContext

    init() throws {
        store = try ManagedObjectStore(
            inMemory: ObjectModel(Course.self, Teacher.self, Lesson.self, LessonRoom.self, CourseTopic.self))
        let setup = ObjectContext(store)
        let courses = (1...4).map { id in
            """
            {"id": \(id), "title": "Course \(id)", "version": 3,
             "teacher": {"id": \(id % 2 + 1), "name": "T\(id % 2 + 1)", "address": {"city": "Rome", "street": "A"}},
             "lessons": [{"id": \(id * 10 + 1), "room": {"name": "R\(id)"}}, {"id": \(id * 10), "room": {"name": "R0"}}],
             "topics": [{"name": "all"}, {"name": "topic \(id)"}]}
            """
        }
        _ = try setup.map("[\(courses.joined(separator: ","))]", with: Course.mapping)
        try setup.save()
        context = ObjectContext(store)
    }

    private static func text(_ id: Int) -> String {
        #"{"id":\#(id),"title":"Course \#(id)","teacher":{"id":\#(id % 2 + 1),"name":"T\#(id % 2 + 1)","#
            + #""address":{"city":"Rome","street":"A"}},"lessons":[{"id":\#(id)1,"room":{"name":"R\#(id)"}},"#
            + #"{"id":\#(id)0,"room":{"name":"R0"}}],"topics":[{"name":"all"},{"name":"topic \#(id)"}]}"#
    }

    private func course(_ id: Int) throws -> Course { try #require(try context.find(Course.self, id)) }

    private func changes(_ course: Course) throws -> String? { try Course.mapping.changes(of: course)?.text }

    private func issues(_ body: () throws -> Void) -> String {
        #expect(throws: MappingError.self, performing: body)?.description ?? ""
    }

    @Test func `omitted relationships are neither read nor written, also in changes`() throws {
        let course = try course(1)
        let mapping = Course.mapping.omitting("teacher", "lessons.room", "topics")
        let log = StatementLog(store)
        let expected = #"{"id":1,"title":"Course 1","lessons":[{"id":11},{"id":10}]}"#
        #expect(String(decoding: try mapping.serialize(course), as: UTF8.self) == expected)
        #expect(log.take().count == 1)
        (course.title, course.seats) = ("Rowing", 4)
        course.teacher?.name = "Ida"
        course.lessons[0].room = nil
        #expect(try mapping.omitting("title").changes(of: course)?.text == #"{"seats":4}"#)
        let body = try mapping.omitting("title").serialize(changesOf: course, includingIdentity: true)
        #expect(String(decoding: body, as: UTF8.self) == #"{"id":1,"seats":4}"#)
        let cyclic = Course.cyclic.omitting("teacher.courses")
        #expect(try cyclic.json(of: course).text == #"{"id":1,"teacher":{"id":2}}"#)
    }

    // MARK: Reading ahead

    @Test(arguments: ["fetched", "found", "faults", "in a plain model"])
    func `one query is run for each relationship and level`(_ kind: String) throws {
        struct Page {
            var courses: [Course] = []
            static let mapping = Mapping(Page.init) { Relationship("courses", \.courses) }
        }
        let courses = kind == "found" ? try (1...4).map(course) : try context.fetch(Course.all.sorted(by: \.courseID))
        if kind == "faults" { context.refresh() }
        let log = StatementLog(store)
        let expected = "[\((1...4).map(Self.text).joined(separator: ","))]"
        if kind == "in a plain model" {
            #expect(try Page.mapping.json(of: Page(courses: courses)).text == #"{"courses":\#(expected)}"#)
        } else {
            #expect(String(decoding: try Course.mapping.serialize(courses), as: UTF8.self) == expected)
        }
        let statements = log.take()
        // Teachers, lessons, topics, and the rooms of lessons.
        #expect(statements.count == (kind == "faults" ? 5 : 4), "\(statements)")
    }

    @Test func `nested objects of one class are read by one query per level`() throws {
        func topic(_ name: String, _ parts: [CourseTopic] = []) -> CourseTopic {
            let topic = CourseTopic(in: context)
            topic.name = name
            topic.parts = parts
            return topic
        }
        let leaves = (0..<4).map { topic("leaf \($0)") }
        _ = topic("top", [topic("a", [leaves[0], leaves[1]]), topic("b", [leaves[2], leaves[3]])])
        try context.save()
        let other = ObjectContext(store)
        let top = try #require(try other.find(CourseTopic.self, "top"))
        let log = StatementLog(store)
        let text = try CourseTopic.tree.json(of: top).text
        // The parts of the top, those of its parts, and the leaves that have none.
        #expect(log.take().count == 3)
        #expect(
            text == #"{"name":"top","parts":[{"name":"a","parts":[{"name":"leaf 0","parts":[]},{"name":"leaf 1","#
                + #""parts":[]}]},{"name":"b","parts":[{"name":"leaf 2","parts":[]},{"name":"leaf 3","parts":[]}]}]}"#)
    }

    @Test func `objects that contain themselves are an issue with the path of both`() throws {
        let teacher = try #require(try context.find(Teacher.self, 1))
        #expect(
            issues { _ = try Teacher.cyclic.serialize(teacher) }
                == "$.courses[0].teacher: expected an object that does not contain itself (`.readOnly` excludes a "
                + "relationship from writing), found the object at $ (rule teacher -> Course.teacher)")
        #expect(
            issues { _ = try Teacher.cyclic.serialize([teacher], rootKey: "data") }
                .hasSuffix("found the object at $.data[0] (rule teacher -> Course.teacher)"))
        #expect(try Teacher.withCourses.json(of: teacher).text == #"{"id":1,"courses":[{"id":2},{"id":4}]}"#)
    }

    @Test func `an object that cannot be read is an issue instead of its defaults`() throws {
        let courses = try context.fetch(Course.all.sorted(by: \.courseID))
        context.refresh()
        try store.write { (connection) throws(StoreError) in
            try connection.run("DELETE FROM \"Course_topics\"")
            try connection.run("DELETE FROM \"Course_lessons\"")
            try connection.run("DELETE FROM \"Course\" WHERE courseID = 3")
        }
        #expect(
            issues { _ = try Course.mapping.serialize(courses) }
                == "$[2]: expected an object that can be read from its store, found the object "
                + "\(courses[2].managed.id) is no longer in the store")
    }

    // MARK: Changes

    @Test func `changes are since the last save`() throws {
        let course = try course(1)
        #expect(try changes(course) == nil)
        #expect(String(decoding: try Course.mapping.serialize(changesOf: course), as: UTF8.self) == "{}")
        course.title = "New"
        course.version = 4
        #expect(try changes(course) == #"{"title":"New"}"#)
        course.seats = 5
        try context.save()
        #expect(try changes(course) == nil)
        course.seats = nil
        course.title = "Course 1"
        #expect(
            String(
                decoding: try Course.mapping.serialize(changesOf: course, includingIdentity: true, rootKey: "course"),
                as: UTF8.self) == #"{"course":{"id":1,"title":"Course 1","seats":null}}"#)
        course.title = "New"
        course.seats = 5
        #expect(try changes(course) == nil)
        // The values are those that were assigned, as before.
        #expect(course.title == "New" && course.version == 4 && course.managed.changes.isEmpty)
    }

    @Test func `all members of a new object are changes`() throws {
        let course = Course(in: context)
        course.courseID = 9
        #expect(try changes(course) == #"{"id":9,"title":"","lessons":[],"topics":[]}"#)
    }

    @Test func `changes of relationships are changes of their objects`() throws {
        let (course, other) = (try course(1), try course(2))
        course.teacher?.address.street = nil
        #expect(try changes(course) == #"{"teacher":{"address":{"street":null}}}"#)
        #expect(try changes(other) == nil)
        context.rollback()
        course.teacher = other.teacher
        // Compared as documents, so that a receiver that merges them has the other teacher.
        #expect(try changes(course) == #"{"teacher":{"id":1,"name":"T1"}}"#)
        course.teacher = nil
        #expect(try changes(course) == #"{"teacher":null}"#)
        context.rollback()
        course.lessons.swapAt(0, 1)
        #expect(
            try changes(course)
                == #"{"lessons":[{"id":10,"room":{"name":"R0"}},{"id":11,"room":{"name":"R1"}}]}"#)
        context.rollback()
        context.delete(course.lessons[0])
        #expect(try changes(course) == #"{"lessons":[{"id":10,"room":{"name":"R0"}}]}"#)
        context.rollback()
        course.topics.removeFirst()
        #expect(try changes(course) == #"{"topics":[{"name":"topic 1"}]}"#)
        #expect(course.topics.count == 1)
    }

    @Test func `a deleted target is null among the changes`() throws {
        let course = try course(1)
        context.delete(try #require(course.teacher))
        #expect(course.teacher == nil)
        #expect(try changes(course) == #"{"teacher":null}"#)
    }

    @Test func `a list that follows its inverse changes without its owner`() throws {
        let one = try #require(try context.find(Teacher.self, 1))
        let two = try #require(try context.find(Teacher.self, 2))
        func changes(_ teacher: Teacher) throws -> String? { try Teacher.withCourses.changes(of: teacher)?.text }
        #expect(try changes(one) == nil && one.managed.state == .unchanged)
        try course(2).teacher = two
        #expect(try changes(one) == #"{"courses":[{"id":4}]}"#)
        #expect(try changes(two) == #"{"courses":[{"id":1},{"id":3},{"id":2}]}"#)
        try course(2).teacher = one
        try context.save()
        #expect(try changes(one) == nil && changes(two) == nil)
    }

    // MARK: Patches

    @Test func `a patch changes its members only, and finds nested objects`() throws {
        let course = try course(1)
        let (teacher, room) = (try #require(course.teacher), try #require(course.lessons[0].room))
        let patch =
            #"{"title":"New","version":9,"teacher":{"name":"Bo"},"lessons":[{"id":11},{"id":77}],"topics":null}"#
        try Course.mapping.apply(patch, to: course)
        #expect(course.title == "New" && course.version == 9 && course.topics.isEmpty)
        #expect(course.teacher === teacher && teacher.name == "Bo" && teacher.address.city == "Rome")
        #expect(teacher.managed.changes.map(\.property) == ["name"])
        #expect(course.lessons.map(\.lessonID) == [11, 77] && course.lessons[0].room === room)
        #expect(context.insertedObjects == [course.lessons[1]])
        try context.save()
        #expect(try context.count(Lesson.all) == 9 && context.count(Teacher.all) == 2)
    }

    @Test func `another identity in a patch replaces the object of a relationship`() throws {
        let course = try course(1)
        try Course.mapping.apply(#"{"teacher":{"id":1}}"#, to: course)
        #expect(course.teacher?.teacherID == 1 && course.teacher?.name == "T1")
        try Course.mapping.apply(#"{"teacher":{"id":5,"name":"New"}}"#, to: course)
        #expect(course.teacher?.name == "New" && course.teacher?.address == Teacher.Address())
        try Course.mapping.apply(#"{"teacher":null}"#, to: course)
        #expect(course.teacher == nil)
    }

    @Test(arguments: [#"{"title":"New","id":2}"#, #"{"title":"New","id":99}"#, #"{"title":"New","id":null}"#])
    func `a patch cannot change the identity`(_ patch: String) throws {
        let course = try course(1)
        #expect(
            issues { try Course.mapping.apply(patch, to: course) }
                .contains("a patch cannot change the identity of an object"))
        #expect(course.courseID == 1 && course.title == "Course 1" && course.managed.changes.isEmpty)
        try Course.mapping.apply(#"{"id":1,"title":"New"}"#, to: course)
        #expect(course.title == "New")
    }

    @Test func `a patch of the changes makes another copy equal`() throws {
        let course = try course(1)
        course.title = "New"
        course.seats = 3
        course.teacher?.address = Teacher.Address(city: "Oslo")
        course.topics.removeLast()
        let patch = try Course.mapping.serialize(changesOf: course)
        let other = ObjectContext(store)
        let copy = try #require(try other.find(Course.self, 1))
        try Course.mapping.apply(patch, to: copy)
        #expect(try Course.mapping.json(of: copy) == Course.mapping.json(of: course))
    }

    @Test func `a response updates the object that was sent`() throws {
        let course = Course(in: context)
        course.title = "Sent"
        try Course.mapping.update(course, from: #"{"id":8,"version":1,"teacher":{"id":2}}"#)
        #expect(course.courseID == 8 && course.title == "Sent" && course.teacher?.name == "T2")
        try context.save()
        #expect(try context.count(Course.all) == 5)
        let log = issues { try Course.mapping.update(course, from: #"{"title":"x","seats":"many"}"#) }
        #expect(log.contains("$.seats") && course.title == "Sent" && !context.hasChanges)
    }
}
