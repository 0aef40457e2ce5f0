import ObjectMapping
import Testing

private indirect enum Part: Mappable, Hashable {
    case circle(Circle), group([Part]), not(Part)

    static let list: Mapping<[Part]> = Mapping({ [] }) { Relationship("parts", \.self, Part.mapping) }
    static let mapping: Mapping<Part> = Mapping(matching: {
        Match("meta.type", is: "circle", Circle.mapping, Part.circle) { part in
            if case .circle(let circle) = part { circle } else { nil }
        }
        Match("meta.type", is: 2, list, Part.group) { part in if case .group(let parts) = part { parts } else { nil } }
        Match(wrappedIn: "not", Part.mapping, Part.not) { part in if case .not(let part) = part { part } else { nil } }
        Otherwise(.decline)
    })
}

private struct Setting: Equatable {
    var kind = ""
    var a = 0
    var b = 0

    static let mapping = Mapping<Setting>(matching: {
        Match(
            "kind", is: "a",
            Mapping(Setting.init) {
                Attribute("kind", \.kind); Attribute("a", \.a)
            })
        Match(
            "kind", is: "b",
            Mapping(Setting.init) {
                Attribute("kind", \.kind); Attribute("b", \.b)
            })
    })
}

private struct Point: Mappable, Equatable {
    let x: Int
    let y: Int?
    let label: String
    let born: Date
    let next: [Point]

    static let mapping = Mapping(
        Point.self, Point.init, Parameter("x", \.x), Parameter("at.y", \.y), Parameter("label", \.label),
        Parameter("born", \.born, using: .date(.dateOnly)), Parameter("next", \.next).default([]))
}

struct MatchingOutputTests {
    @Test(arguments: [
        #"{"meta":{"type":"circle"},"radius":2}"#, #"{"not":{"meta":{"type":"circle"},"radius":1.5}}"#,
        #"{"meta":{"type":2},"parts":[{"meta":{"type":"circle"},"radius":1},{"not":{"not":{"meta":{"type":2},"parts":[]}}}]}"#,
    ]) func `A model is written by its case, with the discriminator`(text: String) throws {
        let part = try Part.mapping.map(text)
        #expect(try String(decoding: Part.mapping.serialize(part), as: UTF8.self) == text)
    }

    @Test func `Objects of subclasses are written by their types`() throws {
        let humans = Mapping<Human>(matching: {
            Match("type", is: "Boy", Boy.boy) { $0 }
            Match("type", is: "Girl", Girl.girl) { $0 }
            Otherwise(Human.mapping)
        })
        let text =
            #"[{"type":"Boy","name":"a","plays":"chess"},{"type":"Girl","name":"b","reads":"Emma"},{"name":"c"}]"#
        let people = try humans.mapAll(text)
        #expect(try String(decoding: humans.serialize(people), as: UTF8.self) == text)
    }

    @Test func `Among cases of one type, the case with the model's value is used`() throws {
        for text in [#"{"kind":"a","a":1}"#, #"{"kind":"b","b":2}"#] {
            let setting = try Setting.mapping.map(text)
            #expect(try String(decoding: Setting.mapping.serialize(setting), as: UTF8.self) == text)
        }
        expectIssues(
            "$: expected a Setting that matches a case of its mapping, found a value that does not "
                + "match a case"
        ) {
            do { _ = try Setting.mapping.serialize(Setting(kind: "c")) } catch let error as MappingError {
                throw Shown(text: error.issues.map { "\($0.path): \($0.message)" }.joined(separator: "\n"))
            }
        }
    }

    @Test func `Arguments are written from their properties`() throws {
        let text =
            #"{"x":1,"at":{"y":2},"label":"a","born":"2024-02-29","next":[{"x":3,"label":"b","born":"2024-03-01","next":[]}]}"#
        let point = try Point.mapping.map(text)
        #expect(try String(decoding: Point.mapping.serialize(point), as: UTF8.self) == text)
    }
}

private struct Shown: Error, CustomStringConvertible {
    let text: String
    var description: String { text }
}
