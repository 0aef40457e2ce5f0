import Foundation
import ObjectMapping
import Testing

private struct Color: Hashable {
    var hex: String
    struct Unknown: Error { var text: String }
}

extension Conversion where Value == Color {
    fileprivate static var hexColor: Conversion {
        Conversion("a color such as #ff8800") { json in
            guard let text = json.string else { return nil }
            guard text.hasPrefix("#") else { throw Color.Unknown(text: text) }
            return Color(hex: text)
        } write: { color in
            .string(color.hex)
        }
    }
}

private enum Status: String, JSONConvertible, CaseIterable { case open, done, inProgress = "in_progress", other }

private struct Shapes: Equatable {
    var one = Color(hex: "#0")
    var optional: Color? = Color(hex: "#1")
    var list: [Color] = [Color(hex: "#2")]
    var optionalList: [Color]? = [Color(hex: "#3")]
    var optionals: [Color?] = [Color(hex: "#4")]
    var set: Set<Color> = [Color(hex: "#5")]
    var members: [String: Color] = ["old": Color(hex: "#6")]
    var optionalMembers: [Int: Color]?
    var lists: [[Color]] = []

    static let mapping = Mapping(Shapes.init) {
        Attribute("one", \.one, using: .hexColor)
        Attribute("optional", \.optional, using: .hexColor)
        Attribute("list", \.list, using: .hexColor)
        Attribute("optionalList", \.optionalList, using: .hexColor)
        Attribute("optionals", \.optionals, using: .hexColor)
        Attribute("set", \.set, using: .hexColor)
        Attribute("members", \.members, using: .hexColor)
        Attribute("optionalMembers", \.optionalMembers, using: .hexColor)
        Attribute("lists", \.lists, using: .hexColor)
    }
}

private final class Painted {
    var color = Color(hex: "#0")
    var born: Date?
    static let mapping = Mapping(Painted.init) {
        Attribute("color", \.color, using: .hexColor).required
        Attribute("born", \.born).using(.date(.usDate)).required
    }
}

struct UsingTests {
    @Test func `A conversion applies to the type, and to optionals, lists, sets and dictionaries of it`() throws {
        let shapes = try Shapes.mapping.map(
            """
            {"one": "#a", "optional": "#b", "list": ["#c", "#d"], "optionalList": "#e", "optionals": [null, "#f"],
             "set": ["#g", "#g"], "members": {"x": "#h"}, "optionalMembers": {"1": "#i"}, "lists": [["#j"], "#k"]}
            """)
        func color(_ letter: String) -> Color { Color(hex: "#" + letter) }
        #expect(
            shapes
                == Shapes(
                    one: color("a"), optional: color("b"), list: [color("c"), color("d")], optionalList: [color("e")],
                    optionals: [nil, color("f")], set: [color("g")], members: ["x": color("h")],
                    optionalMembers: [1: color("i")], lists: [[color("j")], [color("k")]]))
    }

    @Test func `Absent values and null have the same effect as without a conversion`() throws {
        var changed = Shapes()
        changed.one = Color(hex: "#changed")
        changed.list = []
        var shapes = changed
        try Shapes.mapping.update(&shapes, from: "{}")
        #expect(shapes == changed)
        let keys = [
            "one", "optional", "list", "optionalList", "optionals", "set", "members", "optionalMembers", "lists",
        ]
        try Shapes.mapping.update(&shapes, from: "{" + keys.map { "\"\($0)\": null" }.joined(separator: ",") + "}")
        #expect(shapes == Shapes(optional: nil, optionalList: nil))
    }

    @Test func `A failed conversion is an issue at its position, without the value`() {
        expectIssues(
            """
            1:9 $.one: expected a color such as #ff8800, found a string that cannot be converted (rule one -> Shapes.one)
            1:31 $.optional: expected a color such as #ff8800, found a number that cannot be converted (rule optional -> Shapes.optional)
            1:48 $.list[1]: expected a color such as #ff8800, found an object that cannot be converted (rule list -> Shapes.list)
            1:70 $.optionalList[0]: expected a color such as #ff8800, found null (rule optionalList -> Shapes.optionalList)
            1:97 $.optionals[1]: expected a color such as #ff8800, found a boolean that cannot be converted (rule optionals -> Shapes.optionals)
            1:115 $.members: expected an object, found an array (rule members -> Shapes.members)
            1:139 $.optionalMembers.01: expected a key of type Int, found another key (rule optionalMembers -> Shapes.optionalMembers)
            1:155 $.optionalMembers.2: expected a color such as #ff8800, found a string that cannot be converted (rule optionalMembers -> Shapes.optionalMembers)
            """
        ) {
            _ = try Shapes.mapping.map(
                ##"{"one": "secret", "optional": 5, "list": ["#", {}], "optionalList": [null], "optionals": [null, true], "members": [], "optionalMembers": {"01": "#", "2": "x"}}"##
            )
        }
    }

    @Test func `The value is in the debug description`() {
        #expect {
            _ = try Shapes.mapping.map(#"{"one": "secret"}"#)
        } throws: { error in
            let issue = (error as? MappingError)?.issues.first
            return issue?.kind == .invalidValue && issue?.details.hasSuffix("value \"secret\"") == true
        }
    }

    @Test func `A conversion can be used for classes and with required`() throws {
        let box = try Painted.mapping.map(##"{"color": "#a", "born": "11/21/2026"}"##)
        #expect(box.color == Color(hex: "#a"))
        #expect(box.born == Date(timeIntervalSince1970: 1_795_219_200))
        #expect(try Painted.mapping.map(##"{"color": "#a", "born": null}"##).born == nil)
        #expect(issues { _ = try Painted.mapping.map(##"{"color": null}"##) }.contains("expected the key 'born'"))
        #expect(
            issues { _ = try Painted.mapping.map(##"{"color": null, "born": null}"##) }.contains("$.color: expected"))
    }

    @Test func `The first successful conversion is used`() throws {
        struct Person { var born: Date? }
        let hour = Conversion("an hour") { json in
            json.int.flatMap { 0..<24 ~= $0 ? Date(timeIntervalSince1970: Double($0) * 3600) : nil }
        } write: { date in
            .integer(Int(date.timeIntervalSince1970) / 3600)
        }
        let mapping = Mapping(Person.init) { Attribute("born", \.born).using(.first(of: hour, .standard)) }
        #expect(try mapping.map(#"{"born": 7}"#).born?.timeIntervalSince1970 == 25_200)
        #expect(try mapping.map(#"{"born": 24}"#).born?.timeIntervalSince1970 == 24)
        #expect(try mapping.map(#"{"born": "2026-11-21"}"#).born?.timeIntervalSince1970 == 1_795_219_200)
        #expect(try mapping.map(#"{"born": null}"#).born == nil)
        expectIssues(
            "1:10 $.born: expected an hour or an ISO 8601 date or seconds since 1970, found a string that cannot be converted (rule born -> Person.born)"
        ) { _ = try mapping.map(#"{"born": "soon"}"#) }
    }

    @Test func `An unknown case of an enum is an issue that suggests a near one, or becomes another by name`() throws {
        struct Task {
            var status = Status.open
            var history: [Status]?
        }
        let strict = Mapping(Task.init) {
            Attribute("status", \.status); Attribute("history", \.history)
        }
        expectIssues(
            """
            1:12 $.status: expected Status ('open', 'done', 'in_progress' or 'other'), found a string that is not a valid Status (rule status -> Task.status); did you mean 'in_progress'?
            1:38 $.history[0]: expected Status ('open', 'done', 'in_progress' or 'other'), found a string that is not a valid Status (rule history -> Task.history)
            1:51 $.history[1]: expected Status ('open', 'done', 'in_progress' or 'other'), found a number that is not a valid Status (rule history -> Task.history)
            """
        ) { _ = try strict.map(#"{"status": "inProgress", "history": ["somewhere", 7]}"#) }
        let tolerant = Mapping(Task.init) {
            Attribute("status", \.status).using(.orElse(.other))
            Attribute("history", \.history).using(.orElse(.other))
        }
        let task = try tolerant.map(#"{"status": "gone", "history": ["done", 7, "x"]}"#)
        #expect(task.status == .other)
        #expect(task.history == [.done, .other, .other])
        #expect(try tolerant.map(#"{"history": null}"#).history == nil)
        #expect(try Conversion<Status>.orElse(.other).write(.inProgress) == .string("in_progress"))
    }

    @Test func `A fallback replaces values that cannot be converted`() throws {
        let conversion = Conversion.date(.usDate).orElse(.distantPast)
        #expect(try conversion.read("x".json) == .distantPast)
        #expect(try conversion.read("11/21/2026".json) == Date(timeIntervalSince1970: 1_795_219_200))
    }
}
