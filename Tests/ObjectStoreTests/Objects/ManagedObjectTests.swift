import Foundation
import ObjectMapping
import TestSupport
import Testing

@testable import ObjectStore

@Suite struct ManagedObjectTests {
    @Test func `a model is derived from the wrappers of its classes`() throws {
        let model = try Company.model()
        let employee = try #require(model.entity(named: "Employee"))
        #expect(
            employee.attributes.map {
                "\($0.name) \($0.type)\($0.isOptional ? "?" : "") \($0.defaultValue?.text ?? "-")"
            }
                == [
                    "number integer 0", "name string \"nobody\"", "mail string? -", "rank string \"junior\"",
                    "formerRank string? -", "address json {\"street\":\"\",\"number\":0}", "salary decimal? -",
                    "hired date? -", "nicknames [string] []", "share double 0.5", "token uuid -",
                ])
        #expect(employee.identity == ["number"])
        #expect(
            employee.relationships.map { "\($0.name) \($0.destination) \($0.isToMany) \($0.inverse ?? "-")" } == [
                "department Department false staff", "badge Badge false owner", "skills Skill true people",
                "notes Note true author", "friends Employee true -",
            ])
        #expect(model.entity(named: "Room")?.identity == ["floor", "door"])
        #expect(model.entity(named: "Department")?.attribute(named: "title")?.isOptional == false)
    }

    @Test func `a model without the target of a relationship is an error that names it`() {
        let error = #expect(throws: ModelError.self) { try ObjectModel(Note.self) }
        #expect(error?.description == "$.Note.relationships.author.to: unknown entity 'Employee'")
    }

    @Test func `an object without a context has its defaults and assigned values`() {
        let employee = Employee()
        #expect(employee.name == "nobody")
        employee.name = "Ann"
        employee.address.street = "Main"
        employee.nicknames.append("A")
        #expect(employee.name == "Ann" && employee.address.street == "Main" && employee.nicknames == ["A"])
        #expect(employee.managed.state == .detached)
        #expect(employee.managed.id.description == "Employee/detached" && employee.managed.context == nil)
    }

    @Test func `values of every type are read as they were saved`() throws {
        let store = try Company.store()
        let context = ObjectContext(store)
        let ann = context.employee(7, "A\u{301}nn\0 \u{1F600} '\"")
        ann.rank = .senior
        ann.formerRank = .junior
        ann.address = Employee.Address(street: "Main", number: 3)
        ann.salary = Decimal(string: "12345678901234567890.123456789")
        ann.hired = Date(timeIntervalSince1970: 1_790_000_000.123_456)
        ann.nicknames = ["x", "", "\"", "y"]
        ann.share = 1.0 / 3
        let token = ann.token
        try context.save()
        let other = ObjectContext(store)
        let read: Employee = try other.object(with: ann.managed.id)
        #expect(read !== ann)
        #expect(Array(read.name.utf8) == Array("A\u{301}nn\0 \u{1F600} '\"".utf8))
        #expect(read.rank == .senior && read.formerRank == .junior)
        #expect(read.address == Employee.Address(street: "Main", number: 3))
        #expect(read.salary?.description == "12345678901234567890.123456789")
        #expect(read.hired == ann.hired)
        #expect(read.nicknames == ["x", "", "\"", "y"])
        #expect(read.share == 1.0 / 3 && read.token == token && read.mail == nil)
    }

    @Test func `dates are truncated to milliseconds when they are assigned`() {
        let employee = Employee()
        employee.hired = Date(timeIntervalSince1970: 1.123_999)
        #expect(employee.hired == Date(timeIntervalSince1970: 1.123))
        for milliseconds in stride(from: -5_000_000_000_123.0, to: 5e12, by: 777_777_777_777) {
            let date = Date(timeIntervalSince1970: milliseconds / 1000)
            employee.hired = date
            let cut = employee.hired
            employee.hired = cut
            #expect(employee.hired == cut)
            #expect(abs((cut?.timeIntervalSince1970 ?? 0) - milliseconds / 1000) < 0.0011)
        }
    }

    @Test func `transient attributes and other properties are not saved`() throws {
        let store = try Company.store()
        let context = ObjectContext(store)
        let ann = context.employee(1, "Ann")
        #expect(ann.selections == 1)
        ann.selections = 9
        ann.drawing = 3
        try context.save()
        let other = ObjectContext(store)
        let read: Employee = try other.object(with: ann.managed.id)
        #expect(read.selections == 2)
    }

    @Test func `a change has the name, the old and the new value`() throws {
        let context = ObjectContext(try Company.store())
        let ann = context.employee(1, "Ann")
        try context.save()
        ann.name = "Bea"
        ann.number = 1
        #expect(ann.managed.state == .updated)
        #expect(
            ann.managed.changes
                == [ManagedState<Employee>.Change(property: "name", old: .text("Ann"), new: .text("Bea"))])
    }

    @Test func `a snapshot computes properties from its attributes`() {
        let task = ProjectTask()
        (task.name, task.hours) = ("Paint", 2)
        let snapshot = task.managed.snapshot()
        task.name = "Rest"
        #expect(snapshot.summary == "Paint (2.0 h)" && snapshot.project == nil)
    }

    @Test func `a snapshot has typed values and never changes`() throws {
        let context = ObjectContext(try Company.store())
        let ann = context.employee(1, "Ann")
        ann.rank = .senior
        let snapshot = ann.managed.snapshot()
        ann.name = "Bea"
        #expect(snapshot.name == "Ann" && snapshot.rank == .senior && snapshot.number == 1)
        #expect(snapshot["name"] == .text("Ann") && snapshot["nothing"] == nil)
    }
}
