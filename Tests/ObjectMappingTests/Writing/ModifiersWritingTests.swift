import ObjectMapping
import Testing

/// The effects of modifiers and conversions on the written JSON.
struct ModifiersWritingTests {
    private struct Size: Codable, JSONConvertible, Equatable {
        var width = 1
        var ratio = 2.0
    }

    private enum Kind: String, Codable, JSONConvertible { case small, large }

    private struct Item: Equatable {
        var firstName = "a"
        var lastName: String? = "b"
        var homeAddress = Place()
        var born: Date? = Date(timeIntervalSince1970: 0)
        var dates: [Date] = [Date(timeIntervalSince1970: 86_400)]
        var price: Decimal? = Decimal(string: "1.50")
        var size = Size()
        var sizes: [String: Size] = [:]
        var kind = Kind.large
        var numbers: [String: Double?] = [:]

        struct Place: Equatable {
            var zipCode = 7
        }
    }

    @Test func `Rules work in the directions that they name`() throws {
        let mapping = Mapping(Item.init) {
            Attribute("first", \.firstName).readOnly
            Attribute("last", \.lastName).writeOnly
        }
        #expect(try text(Item(), mapping) == #"{"last":"b"}"#)
        var read = Item()
        read.firstName = "x"
        #expect(try mapping.map(#"{"first":"x","last":"y"}"#) == read)
    }

    @Test func `Rules without a source are written under the names of their properties`() throws {
        let mapping = Mapping(Item.init, keys: .snakeCase) {
            Attribute(\.firstName)
            Attribute(\.homeAddress.zipCode)
        }
        #expect(try text(Item(), mapping) == #"{"first_name":"a","home_address":{"zip_code":7}}"#)
        #expect(try mapping.map(text(Item(), mapping)) == Item())
    }

    @Test func `Conversions are applied in reverse`() throws {
        let mapping = Mapping(Item.init) {
            Attribute("born", \.born).using(.date(.secondsSince1970))
            Attribute("dates", \.dates).using(.date(.dateOnly))
            Attribute("price", \.price).using(.asString)
        }
        let expected = #"{"born":0,"dates":["1970-01-02"],"price":"1.5"}"#
        #expect(try text(Item(), mapping) == expected)
        #expect(try mapping.map(expected) == Item())
        var item = Item()
        item.born = nil
        item.price = nil
        #expect(try text(item, mapping) == #"{"dates":["1970-01-02"]}"#)
        #expect(
            try text(item, mapping, WritingOptions(whenNil: .null))
                == #"{"born":null,"dates":["1970-01-02"],"price":null}"#)
        #expect(try mapping.changes(of: item, from: Item())?.text == #"{"born":null,"price":null}"#)
    }

    @Test func `Codable values and dictionaries are written`() throws {
        let mapping = Mapping(Item.init) {
            Attribute("size", \.size)
            Attribute("sizes", \.sizes)
            Attribute("kind", \.kind)
            Attribute("numbers", \.numbers)
        }
        var item = Item()
        item.sizes = ["b": Size(), "a\"": Size(width: 3)]
        item.numbers = ["x": 1, "y": nil]
        let expected = """
            {"size":{"width":1,"ratio":2},"sizes":{"a\\"":{"width":3,"ratio":2},"b":{"width":1,"ratio":2}},\
            "kind":"large","numbers":{"x":1,"y":null}}
            """
        let written = try JSON(text(item, mapping))
        #expect(written == table(expected))
        #expect(written.object?.keys == ["size", "sizes", "kind", "numbers"])
        #expect(try mapping.map(written) == item)
    }

    @Test func `A value that a conversion refuses is an issue with its position`() {
        let mapping = Mapping(Item.init) {
            Attribute("size", \.size)
            Attribute("sizes", \.sizes)
            Attribute("numbers", \.numbers)
            Attribute(
                "name", \.firstName,
                using: Conversion("a name") {
                    $0.string
                } write: { _ in
                    throw CancellationError()
                })
        }
        var item = Item()
        item.size.ratio = .nan
        item.sizes = ["a": Size(ratio: .infinity)]
        item.numbers = ["x": 1, "y": .nan]
        expectIssues(
            """
            $.size.ratio: expected a value that JSON can represent, found a Double (rule size -> Item.size)
            $.sizes.a.ratio: expected a value that JSON can represent, found a Double (rule sizes -> Item.sizes)
            $.numbers.y: expected a finite number, found NaN (rule numbers -> Item.numbers)
            $.name: expected a name, found a value that the conversion rejects (rule name -> Item.firstName)
            """
        ) { _ = try mapping.serialize(item) }
    }
}
