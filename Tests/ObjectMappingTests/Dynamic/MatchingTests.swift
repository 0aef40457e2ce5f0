import ObjectMapping
import Testing

private protocol Animal: Sendable {}
private struct Dog: Animal, Mappable, Equatable {
    var name = ""
    static let mapping = Mapping(Dog.init) { Attribute("name", \.name) }
}
private struct Cat: Animal, Mappable, Equatable {
    var lives = 0
    static let mapping = Mapping(Cat.init) { Attribute("lives", \.lives) }
}

/// The number of the case that read a value.
private struct Case: Equatable {
    var number = 0
    static func number(_ number: Int) -> Mapping<Case> { Mapping({ Case(number: number) }) {} }
    static func any(_ number: Int) -> Mapping<Case> {
        Mapping({ (_: JSON) in Case(number: number) }, from: Mapping({ JSON.null }) { Attribute("", \.self) })
    }
}

struct MatchingTests {
    @Test func `A member's value selects the payload of an enum`() throws {
        let text = """
            [{"type": "circle", "radius": 2}, {"width": 1, "height": 2, "type": "box"},
             {"members": [{"radius": 1, "type": "circle"}, {"type": "group", "name": "in"}], "type": "group", "name": "out"}]
            """
        let shapes: [Shape] = [
            .circle(Circle(radius: 2)), .rectangle(Rectangle(width: 1, height: 2)),
            .group(Group(name: "out", members: [.circle(Circle(radius: 1)), .group(Group(name: "in"))])),
        ]
        #expect(try Shape.mapping.mapAll(text) == shapes)
        #expect(try Shape.mapping.mapAll(table(text)) == shapes)
        #expect(try Shape.mapping.map(#"[{"type": "circle"}]"#) == .circle(Circle()))
    }

    @Test func `Subclasses and types of a protocol are created by their own mappings`() throws {
        let humans = Mapping<Human>(matching: {
            Match("type", is: "Boy", Boy.boy) { $0 }
            Match("type", is: "Girl", Girl.girl) { $0 }
            Otherwise(Human.mapping)
        })
        let people = try humans.mapAll(
            #"[{"type": "Boy", "plays": "chess"}, {"type": "Girl", "reads": "Emma"}, {"type": "?", "name": "x"}]"#)
        #expect((people[0] as? Boy)?.plays == "chess" && (people[1] as? Girl)?.reads == "Emma")
        #expect(type(of: people[2]) == Human.self && people[2].name == "x")
        let animals = Mapping<any Animal>(matching: {
            Match("lives", isA: .number, Cat.mapping) { $0 }
            Match("name", isA: .string, Dog.mapping) { $0 }
        })
        let zoo = try animals.mapAll(#"[{"lives": 9, "name": "Tom"}, {"name": "Rex"}]"#)
        #expect(zoo[0] as? Cat == Cat(lives: 9) && zoo[1] as? Dog == Dog(name: "Rex"))
    }

    /// Each value with the number of the case that matches it.
    @Test(arguments: [
        (#"{"k": "a"}"#, 1), (#"{"k": "\u0061"}"#, 1), (#"{"k": 1}"#, 2), (#"{"k": 1.0}"#, 2), (#"{"k": 1e0}"#, 2),
        (#"{"k": "1"}"#, 3), (#"{"k": true}"#, 4), (#"{"k": null}"#, 5), (#"{"k": 1.5}"#, 6), (#"{"k": [1, 2]}"#, 7),
        (#"{"k": {"b": 1, "a": 2}}"#, 8), (#"{"k": "é"}"#, 9), (#"{"k": "\u00e9"}"#, 9), (#"{"k": false}"#, 0),
        (#"{"k": "A"}"#, 0), (#"{"k": [2, 1]}"#, 0), (#"{"k": 2}"#, 0), (#"{"k": ""}"#, 0), (#"{"K": "a"}"#, 0),
        (#"{"k": "b", "k": "a"}"#, 1), (#"{"k": "a", "k": "b"}"#, 0), (#"{"\u006b": "a"}"#, 1), ("{}", 0),
        (#"{"x": {"k": "a"}}"#, 0), (#"{"k": 12345678901234567890}"#, 10),
    ]) func `Values are compared like JSON`(text: String, number: Int) throws {
        let mapping = Mapping<Case>(matching: {
            Match(
                "k",
                in: [
                    "a": Case.number(1), 1: Case.number(2), "1": Case.number(3), true: Case.number(4),
                    nil: Case.number(5),
                    1.5: Case.number(6), MatchValue([1, 2]): Case.number(7),
                    MatchValue(["a": 2, "b": 1] as JSON): Case.number(8),
                ])
            Match("k", is: "é", Case.number(9))
            Match("k", is: MatchValue(UInt64(12_345_678_901_234_567_890)), Case.number(10))
            Otherwise(Case.number(0))
        })
        #expect(try mapping.map(text) == Case(number: number))
        #expect(try mapping.map(table(text)) == Case(number: number))
        #expect(try mapping.mapAll("[\(text), \(text)]").map(\.number) == [number, number])
    }

    @Test(arguments: [
        (#"{"a": {"b": "x"}}"#, 1), (#"{"a": [{"b": "x"}]}"#, 2), (#"{"a": {"b": 1}}"#, 3), (#"{"a": null}"#, 0),
        (#"{"list": [1, 2, 3]}"#, 4), (#"{"list": [1, 2]}"#, 0), (#"{"a": {"b": {"b": "x"}}}"#, 0), (#"{"a": 5}"#, 0),
        (#"{"a": {"b": "y", "c": [{"a": 1}]}, "z": {"w": {}}}"#, 5),
    ]) func `Conditions test any source, in order`(text: String, number: Int) throws {
        let mapping = Mapping<Case>(matching: {
            Match("a.b", is: "x", Case.number(1))
            Match("a.b", isA: .array, Case.number(2))
            Match("a.b", isA: .number, Case.number(3))
            Match("list.@count", is: 3, Case.number(4))
            Match(where: { $0["z"]["w"].object != nil }, Case.number(5))
            Otherwise(Case.number(0))
        })
        #expect(try mapping.map(text) == Case(number: number))
    }

    @Test(arguments: [
        ("null", 1), ("false", 2), ("-1", 3), (#""x""#, 4), ("[[]]", 5), ("{}", 6),
    ]) func `The value can have any kind`(text: String, number: Int) throws {
        let mapping = Mapping<Case>(matching: {
            for (kind, number) in zip(JSONKind.allCases, 1...) { Match(.value, isA: kind, number: number) }
        })
        #expect(try mapping.map(text) == Case(number: number))
    }

    @Test func `An object can be wrapped in the name of its type`() throws {
        let shapes = Mapping<Shape>(matching: {
            Match(wrappedIn: "circle", Circle.mapping, Shape.circle)
            Match(wrappedIn: "box", Rectangle.mapping, Shape.rectangle)
        })
        let found = try shapes.mapAll(
            """
            [{"id": 1, "circle": {"radius": 3}, "more": [{}]}, {"box": {"width": 1, "height": 2}},
             {"box": {"width": "no"}, "circle": {"radius": 4}}, {"circle": 1, "circle": {"radius": 5}}]
            """)
        #expect(
            found == [
                .circle(Circle(radius: 3)), .rectangle(Rectangle(width: 1, height: 2)), .circle(Circle(radius: 4)),
                .circle(Circle(radius: 5)),
            ])
        #expect(
            try Filter.mapping.map(#"{"all": [{"not": {"not": "a"}}, "b", {"all": []}]}"#)
                == .all([.not(.not(.name("a"))), .name("b"), .all([])]))
    }

    @Test func `A closure can select the mapping`() throws {
        let mapping = Mapping<Shape>(matching: {
            Match { json in
                json["sides"].int == 4 ? Mapping({ Shape.rectangle($0) }, from: Rectangle.mapping) : nil
            }
            Match { json in json["type"].string == nil ? .decline : nil }
            Otherwise(Shape.mapping)
        })
        #expect(
            try mapping.mapAll(#"[{"sides": 4, "width": 1, "height": 2}, {"type": "circle"}, {"sides": 5}]"#)
                == [.rectangle(Rectangle(width: 1, height: 2)), .circle(Circle())])
        expectIssues(
            "2:12 $[1].width: expected a number, found a boolean (rule width -> argument 1 of Rectangle)"
        ) {
            _ = try mapping.mapAll(
                "[{\"sides\": 4, \"width\": 1, \"height\": 2},\n {\"width\": true, \"height\": 2, \"sides\": 4}]")
        }
    }

    @Test func `Outer values can select the mapping`() throws {
        struct Envelope: Equatable {
            var payload: Shape?
            var parts: [Case] = []
        }
        let payload = Mapping<Shape>(matching: {
            Match(.parent("kind"), is: "circle", Circle.mapping, Shape.circle)
            Match(.metadata("kind"), is: "circle", Circle.mapping, Shape.circle)
            Match(.root("meta.kind"), is: "box", Rectangle.mapping, Shape.rectangle)
        })
        let parts = Mapping<Case>(matching: {
            Match(.key, is: "first", Case.number(1))
            Match(.index, is: 1, Case.number(2))
            Otherwise(Case.number(3))
        })
        let mapping = Mapping(Envelope.init) {
            Relationship("payload", \.payload, payload)
            Relationship("parts", \.parts, parts)
            Relationship("first", \.parts, parts)
        }
        #expect(try mapping.map(#"{"payload": {"radius": 1}, "kind": "circle"}"#).payload == .circle(Circle(radius: 1)))
        #expect(
            try mapping.map(
                #"{"payload": {"radius": 1}}"#, options: MappingOptions(metadata: ["kind": .string("circle")])
            )
            .payload == .circle(Circle(radius: 1)))
        #expect(
            try mapping.map(#"{"payload": {"width": 1, "height": 1}, "meta": {"kind": "box"}}"#).payload
                == .rectangle(Rectangle(width: 1, height: 1)))
        #expect(try mapping.map(#"{"parts": [{}, {}, {}]}"#).parts.map(\.number) == [3, 2, 3])
        #expect(try mapping.map(#"{"first": {}}"#).parts.map(\.number) == [1])
    }

    @Test func `Rules inside a wrapper can read it as their parent`() throws {
        struct Item: Equatable {
            var kind = ""
            var id = 0
            var name = ""
        }
        let item = Mapping(Item.init) {
            Attribute(.key, \.kind)
            Attribute(.parent("id"), \.id)
            Attribute("name", \.name)
        }
        let mapping = Mapping<Item>(matching: {
            Match(wrappedIn: "user", item)
            Match(wrappedIn: "post", item)
        })
        #expect(
            try mapping.mapAll(#"[{"id": 7, "user": {"name": "a"}}, {"post": {"name": "b"}, "id": 8}]"#)
                == [Item(kind: "user", id: 7, name: "a"), Item(kind: "post", id: 8, name: "b")])
    }

    @Test func `Wrappers and groups nest up to the limit of the text, on the stack of a task`() async throws {
        func text(_ levels: Int, _ open: String, _ core: String, _ close: String) -> String {
            String(repeating: open, count: levels) + core + String(repeating: close, count: levels)
        }
        let depths = try await Task.detached {
            var depths: [Int] = []
            var filter = try Filter.mapping.map(text(512, #"{"not":"#, #""a""#, "}"))
            depths.append(0)
            while case .not(let inner) = filter {
                filter = inner
                depths[0] += 1
            }
            var shape = try Shape.mapping.map(
                text(255, #"{"type":"group","members":["#, #"{"type":"circle"}"#, "]}"))
            depths.append(0)
            while case .group(let group) = shape, let inner = group.members.first {
                shape = inner
                depths[1] += 1
            }
            return depths
        }.value
        #expect(depths == [512, 255])
        #expect(throws: MappingError.self) { try Filter.mapping.map(text(513, #"{"not":"#, #""a""#, "}")) }
    }
}

extension Match where Model == Case {
    fileprivate init(_ source: MappingSource, isA kind: JSONKind, number: Int) {
        self.init(source, isA: kind, Case.any(number))
    }
}
