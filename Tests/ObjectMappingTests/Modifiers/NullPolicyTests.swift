import Foundation
import ObjectMapping
import Testing

struct NullPolicyTests {
    @Test func `Null can be skipped`() throws {
        let mapping = Mapping(Box.init) {
            Attribute("int", \.int).whenNull(.keep)
            Attribute("optional", \.optional).whenNull(.keep)
            Attribute("texts", \.texts).whenNull(.keep)
            Attribute("a.text", \.text).whenNull(.keep)
            Attribute("a.double", \.double)
            Relationship("payments", \.payments, Payment.mapping).whenNull(.keep)
            Relationship("payment", \.payment, Payment.mapping).whenNull(.keep)
        }
        var box = Box()
        (box.int, box.optional, box.texts, box.text, box.double) = (1, "a", ["b"], "c", 2)
        (box.payments, box.payment) = ([Payment()], Payment())
        var expected = box
        expected.double = -1
        let nulls = #"{"int": null, "optional": null, "texts": null, "a": null, "payments": null, "payment": null}"#
        try mapping.update(&box, from: nulls)
        #expect(box == expected)
        try mapping.update(&box, from: #"{"a": {"text": null}}"#)
        #expect(box == expected)
    }

    @Test func `Null can be an issue, even for an optional`() {
        let mapping = Mapping(Box.init) {
            Attribute("int", \.int).whenNull(.fail)
            Attribute("optional", \.optional).whenNull(.fail)
            Attribute("a.text", \.text).whenNull(.fail)
            Relationship("payment", \.payment, Payment.mapping).whenNull(.fail)
        }
        #expect(throws: Never.self) { try mapping.map("{}") }
        expectIssues(
            """
            1:9 $.int: expected an integer, found null (rule int -> Box.int)
            1:27 $.optional: expected a string, found null (rule optional -> Box.optional)
            1:39 $.a: expected an object, found null (rule a.text -> Box.text)
            1:56 $.payment: expected an object, found null (rule payment -> Box.payment)
            """
        ) { _ = try mapping.map(#"{"int": null, "optional": null, "a":  null, "payment": null}"#) }
        expectIssues("1:15 $.a.text: expected a string, found null (rule a.text -> Box.text)") {
            _ = try mapping.map(#"{"a": {"text":null}}"#)
        }
    }

    @Test func `Classes follow the same rules`() throws {
        let mapping = Mapping({ Person() }) {
            Attribute("name", \.name).whenNull(.keep)
            Attribute("age", \.age).whenNull(.fail)
            Relationship("boss", \.boss, Person.mapping).whenNull(.keep)
        }
        let person = Person()
        (person.name, person.boss) = ("Ann", Person())
        try mapping.update(person, from: #"{"name": null, "boss": null}"#)
        #expect(person.name == "Ann" && person.boss != nil)
        expectIssues("1:9 $.age: expected an integer, found null (rule age -> Person.age)") {
            try mapping.update(person, from: #"{"age": null}"#)
        }
    }

    private struct Appointment: Equatable {
        struct Room: Codable, Equatable { var number = 1 }
        var date: Date? = Date(timeIntervalSince1970: 0)
        var room: Room? = Room()
        static let mapping = Mapping(Appointment.init) {
            Attribute("date", \.date).using(.date(.restKit))
            Attribute("in.room", \.room, using: .codable).whenAbsent(.clear)
        }
    }

    private struct Agenda: Equatable {
        var next: Appointment? = Appointment()
        static let mapping = Mapping(Agenda.init) {
            Relationship(.value, \.next, Appointment.mapping).whenAbsent(.clear)
        }
    }

    @Test(arguments: [#"{"date": null, "in": null}"#, #"{"date":"", "in": {"room": null}}"#, #"{"date": null}"#])
    func `Null is converted the same way anywhere in a long payload`(element: String) throws {
        let text = "[" + Array(repeating: element, count: 2000).joined(separator: ",") + "]"
        let empty = Appointment(date: nil, room: nil)
        let appointments = try Appointment.mapping.mapAll(GuardedText(text))
        #expect(appointments.allSatisfy { $0 == empty })
        #expect(try Agenda.mapping.mapAll(GuardedText(text)).allSatisfy { $0.next == empty })
        let absent = text.replacingOccurrences(of: element, with: "{}")
        #expect(try Agenda.mapping.mapAll(GuardedText(absent)).allSatisfy { $0.next == nil })
    }

    @Test func `A required key can be null if its rule allows it`() throws {
        let mapping = Mapping(Box.init) { Attribute("int", \.int).required.whenNull(.clear) }
        #expect(try mapping.map(#"{"int": null}"#).int == -1)
    }
}
