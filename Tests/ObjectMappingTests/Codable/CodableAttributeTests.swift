import Foundation
import ObjectMapping
import Testing

private enum Status: String, Codable, JSONConvertible, CaseIterable { case open, done }
private enum Level: Int, Codable, JSONConvertible { case low = 1, high }

private struct Size: Codable, JSONConvertible, Hashable {
    var width: Int
    var height: Double?
}

private struct Everything: Codable, JSONConvertible, Equatable {
    struct Point: Codable, Hashable {
        var x: Float
        var y: Float
        init(x: Float, y: Float) { (self.x, self.y) = (x, y) }
        init(from decoder: any Decoder) throws {
            var values = try decoder.unkeyedContainer()
            x = try values.decode(Float.self)
            y = try values.decode(Float.self)
        }
        func encode(to encoder: any Encoder) throws {
            var values = encoder.unkeyedContainer()
            try values.encode(x)
            try values.encode(y)
        }
    }

    var text = "é"
    var yes = true
    var numbers: [Int8] = [-128, 127]
    var large = UInt64.max
    var date = Date(timeIntervalSince1970: 1_795_245_780.25)
    var data = Data([1, 2, 3])
    var url = URL(string: "https://example.com/a")
    var decimal = Decimal(string: "0.1") ?? 0
    var uuid = UUID(uuidString: "9B2D7E0A-4B0C-4F57-8B0C-3C3E7E3A9F11")
    var status: Status? = .done
    var level = Level.high
    var points: [String: Point] = ["a": Point(x: 1, y: 2.5)]
    var byNumber: [Int: Size] = [7: Size(width: 1)]
    var nested: [[Size?]] = [[nil, Size(width: 2, height: 0.5)]]
    var missing: Int?
}

private class Animal: Codable {
    var name = "animal"
}

private final class Dog: Animal, JSONConvertible {
    var breed = "dog"
    override init() { super.init() }
    private enum Keys: CodingKey { case breed, inner, list }
    private enum Inner: CodingKey { case deep }
    required init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Keys.self)
        let inner = try values.nestedContainer(keyedBy: Inner.self, forKey: .inner)
        var list = try values.nestedUnkeyedContainer(forKey: .list)
        var nested = try list.nestedUnkeyedContainer()
        breed = try values.decode(String.self, forKey: .breed) + inner.decode(String.self, forKey: .deep)
        breed += try nested.decode(String.self)
        #expect(nested.isAtEnd && !list.isAtEnd && list.currentIndex == 1)
        try super.init(from: values.superDecoder())
    }
    override func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Keys.self)
        try values.encode("a", forKey: .breed)
        var inner = values.nestedContainer(keyedBy: Inner.self, forKey: .inner)
        try inner.encode("b", forKey: .deep)
        var list = values.nestedUnkeyedContainer(forKey: .list)
        var nested = list.nestedUnkeyedContainer()
        try nested.encode("c")
        try list.encodeNil()
        try super.encode(to: values.superEncoder())
    }
}

/// A type of another module.
private struct Foreign: Codable, Equatable { var x: Int }

private struct Tree: Codable, JSONConvertible { var children: [Tree] = [] }

private struct Odd: Codable, JSONConvertible {
    var value: Int
    struct Failed: Error {}
    init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        if text == "error" { throw Failed() }
        throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: text))
    }
}

/// Stores its decoder for other decodes; only one test's thread uses it.
private struct Keeper: Decodable, @unchecked Sendable {
    @TaskLocal static var kept: Keeper?
    let decoder: any Decoder
    init(from decoder: any Decoder) { self.decoder = decoder }
}

/// Decodes with the decoder of another text.
private struct Asking {
    struct Asked: Codable, JSONConvertible {
        init() {}
        init(from decoder: any Decoder) throws {
            _ = try (Keeper.kept?.decoder ?? decoder).singleValueContainer().decode(Int.self)
        }
        func encode(to encoder: any Encoder) throws {}
    }
    var asked = Asked()
}

private struct Model {
    var size: Size?
    var sizes: [Size] = []
    var byName: [String: Size] = [:]
    var set: Set<Size> = []
    var everything: Everything?
    var status = Status.open
    var level = Level.low
    var foreign = Foreign(x: 0)
    var foreigns: [Foreign]?
    var odd: Odd?
    var tree: Tree?

    static let mapping = Mapping(Model.init) {
        Attribute("size", \.size)
        Attribute("sizes", \.sizes)
        Attribute("byName", \.byName)
        Attribute("set", \.set)
        Attribute("everything", \.everything)
        Attribute("status", \.status)
        Attribute("level", \.level)
        Attribute("foreign", \.foreign, using: .codable)
        Attribute("foreigns", \.foreigns, using: .codable)
        Attribute("odd", \.odd)
        Attribute("tree", \.tree)
    }
}

struct CodableAttributeTests {
    @Test func `A Codable type can be an attribute without a declaration`() throws {
        let model = try Model.mapping.map(
            #"{"size": {"width": 1}, "sizes": [{"width": 2, "height": 3}], "byName": {"a": {"width": 4}}, "set": {"width": 5}}"#
        )
        #expect(model.size == Size(width: 1))
        #expect(model.sizes == [Size(width: 2, height: 3)])
        #expect(model.byName == ["a": Size(width: 4)])
        #expect(model.set == [Size(width: 5)])
        #expect(try Model.mapping.map(#"{"size": null}"#).size == nil)
    }

    @Test func `All kinds of Codable types are read and written`() throws {
        let all = Everything()
        let json = all.json
        #expect(Everything(json: json) == all)
        #expect(try Model.mapping.map("{\"everything\": \(json.text)}").everything == all)
        #expect(json["date"] == .string("2026-11-21T07:23:00.250Z"))
        #expect(json["data"] == .string("AQID"))
        #expect(json["decimal"].text == "0.1")
        #expect(json["url"] == .string("https://example.com/a"))
        #expect(json["byNumber"].text == #"{"7":{"width":1}}"#)
        #expect(!json["missing"].exists)
        #expect(Everything(json: try JSON(json.text)) == all)
    }

    @Test func `Nested containers and superclasses are read and written`() throws {
        let text = #"{"breed":"a","inner":{"deep":"b"},"list":[["c"],null],"super":{"name":"animal"}}"#
        let dog = try #require(Dog(json: try JSON(text)))
        #expect(dog.breed == "abc")
        #expect(dog.json.text == text)
    }

    @Test func `Enums with raw values are read by these, Codable or not`() throws {
        let model = try Model.mapping.map(#"{"status": "done", "level": "2"}"#)
        #expect(model.status == .done)
        #expect(model.level == .high)
        #expect(Status.done.json == .string("done"))
    }

    @Test func `A Codable type of another module is an attribute by name`() throws {
        let model = try Model.mapping.map(#"{"foreign": {"x": 1}, "foreigns": [{"x": 2}]}"#)
        #expect(model.foreign == Foreign(x: 1))
        #expect(model.foreigns == [Foreign(x: 2)])
        #expect(try Model.mapping.map(#"{"foreigns": null}"#).foreigns == nil)
    }

    @Test(arguments: [
        (
            #"{"size": {"width": "1"}}"#,
            "1:20 $.size.width: expected an integer, found a string (rule size -> Model.size)"
        ),
        (
            #"{"sizes": [{"width": 1}, {"widht": 2}]}"#,
            "1:26 $.sizes[1].width: expected the key 'width', found no such key (rule sizes -> Model.sizes); did you mean 'widht'?"
        ),
        (
            #"{"byName": {"a b": {"width": null}}}"#,
            #"1:30 $.byName["a b"].width: expected an integer, found null (rule byName -> Model.byName)"#
        ),
        (#"{"size": [1]}"#, "1:10 $.size: expected an object, found an array (rule size -> Model.size)"),
        (
            #"{"size": {"width": 1.5}}"#,
            "1:20 $.size.width: expected an integer, found a number with a fraction (rule size -> Model.size)"
        ),
        (
            #"{"size": {"width": 1e30}}"#,
            "1:20 $.size.width: expected an integer, found a number out of its range (rule size -> Model.size)"
        ),
        (
            #"{"size": {"width": 1, "height": 1e999}}"#,
            "1:33 $.size.height: expected a number, found a number out of its range (rule size -> Model.size)"
        ),
        (
            #"{"status": "opne"}"#,
            "1:12 $.status: expected Status ('open' or 'done'), found a string that is not a valid Status (rule status -> Model.status); did you mean 'open'?"
        ),
        (
            #"{"foreign": {"x": true}}"#,
            "1:19 $.foreign.x: expected an integer, found a boolean (rule foreign -> Model.foreign)"
        ),
        (
            #"{"foreigns": [{"x": 1}, {}]}"#,
            "1:25 $.foreigns[1].x: expected the key 'x', found no such key (rule foreigns -> Model.foreigns)"
        ),
        (#"{"foreign": null, "odd": 5}"#, "1:26 $.odd: expected a string, found a number (rule odd -> Model.odd)"),
        (
            #"{"odd": "error"}"#,
            "1:9 $.odd: expected Odd, found a string that cannot be converted (rule odd -> Model.odd)"
        ),
        (
            #"{"odd": "secret"}"#,
            "1:9 $.odd: expected Odd, found a string that is not a valid Odd (rule odd -> Model.odd)"
        ),
    ])
    func `An issue within a value has its own position`(text: String, message: String) {
        expectIssues(message) { _ = try Model.mapping.map(text) }
    }

    @Test(arguments: [
        ("text", "5", "text: expected a string, found a number"),
        ("yes", "1", "yes: expected a boolean, found a number"),
        ("numbers", "[1,128]", "numbers[1]: expected an integer from -128 to 127, found a number out of its range"),
        ("numbers", "{}", "numbers: expected an array, found an object"),
        (
            "date", "\"soon\"",
            "date: expected an ISO 8601 date or seconds since 1970, found a string that is not a date"
        ),
        ("date", "null", "date: expected an ISO 8601 date or seconds since 1970, found null"),
        ("data", "\"?\"", "data: expected base64 data, found a string that is not base64"),
        ("url", "\"\"", "url: expected a URL, found a string that is not a URL"),
        ("decimal", "{}", "decimal: expected a decimal number, found an object"),
        ("status", "\"opn\"", "status: expected Status ('open' or 'done'), found a string that is not a valid Status"),
        ("level", "3", "level: expected Level, found a number that is not a valid Level"),
        ("points", "{\"a\":[1]}", "points.a: expected an element at index 1, found the end of the array"),
        ("nested", "[[{\"width\":[]}]]", "nested[0][0].width: expected an integer, found an array"),
    ])
    func `Each kind of nested value has its issue`(key: String, value: String, message: String) throws {
        var json = Everything().json
        json[key] = try JSON(value)
        let text = "{\"everything\": \(json.text)}"
        let found = issues { _ = try Model.mapping.map(text) }
        #expect(found.contains("$.everything.\(message) (rule everything -> Model.everything)"), "\(found)")
    }

    @Test func `A deep value is read up to the nesting limit of the text`() throws {
        let deep = String(repeating: "{\"children\":[", count: 250) + String(repeating: "]}", count: 250)
        let model = try Model.mapping.map("{\"tree\": \(deep)}")
        var count = 0
        var tree = model.tree
        while let next = tree {
            count += 1
            tree = next.children.first
        }
        #expect(count == 250)
        #expect(model.tree?.json.text == deep)
    }

    @Test func `An error of a retained decoder is an error of the attribute`() throws {
        let large = "[" + String(repeating: "0,\n", count: 10_000) + "\"x\"]"
        let kept = try #require(try MappingDecoder().decode([Keeper].self, from: large).last)
        Keeper.$kept.withValue(kept) {
            #expect(
                issues { _ = try Mapping(Asking.init) { Attribute("asked", \.asked) }.map(#"{"asked": 1}"#) }
                    == "1:11 $.asked: expected an integer, found a string (rule asked -> Asking.asked)")
        }
    }

    @Test func `Integers of 128 bits are read and written`() throws {
        struct Wide: Codable, JSONConvertible, Equatable {
            var least = Int128.min
            var most = UInt128.max
            var list = [Int128.max, -1]
            var single: [String: UInt128] = ["a": 1 << 64]
        }
        let json = Wide().json
        #expect(
            json.text
                == #"{"least":-170141183460469231731687303715884105728,"most":340282366920938463463374607431768211455,"list":[170141183460469231731687303715884105727,-1],"single":{"a":18446744073709551616}}"#
        )
        #expect(Wide(json: json) == Wide())
    }

    @Test func `Values without a JSON form are not written`() {
        #expect(Size(width: 1, height: .nan).json.isNull)
        #expect(throws: (any Error).self) { try Conversion<Size>.standard.write(Size(width: 1, height: .infinity)) }
    }
}
