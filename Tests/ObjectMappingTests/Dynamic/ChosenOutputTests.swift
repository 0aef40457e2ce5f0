import ObjectMapping
import Synchronization
import Testing

private struct Gauge: Equatable {
    var celsius: Double?
    var fahrenheit: Double?
    var unit: String?

    static let inCelsius = Mapping(Gauge.init) { Attribute("c", \.celsius) }
    static let inFahrenheit = Mapping(Gauge.init) { Attribute("f", \.fahrenheit) }
}

private enum Event: Mappable, Equatable {
    case text(String), number(Int)

    static let texts = Mapping({ "" }) { Attribute("", \.self) }
    static let numbers = Mapping({ 0 }) { Attribute("", \.self) }
    static let mapping = Mapping<Event>(matching: {
        Match(.value, isA: .string, texts, Event.text) { if case .text(let text) = $0 { text } else { nil } }
        Match(.value, isA: .number, numbers, Event.number) { if case .number(let number) = $0 { number } else { nil } }
    })
}

private final class Reply {
    var old: Int?
    var new: Int?
    var replies: [Reply] = []
    static let questions = Mutex(0)

    static let olds = Mapping({ Reply() }) {
        Attribute("old", \.old)
        Relationship("replies", \.replies, Reply.mapping)
    }
    static let news = Mapping({ Reply() }) {
        Attribute("new", \.new)
        Relationship("replies", \.replies, Reply.mapping)
    }
    static var mapping: Mapping<Reply> {
        Mapping(matching: {
            Match(
                where: { json in
                    questions.withLock { $0 += 1 }
                    return json["old"].exists
                }, olds)
            Otherwise(news)
        })
    }
}

struct ChosenOutputTests {
    /// Cases of one type that are selected by present values, with the written text of two models.
    private static let gauges: [(String, Mapping<Gauge>)] = [
        (
            "a kind",
            Mapping(matching: {
                Match("c", isA: .number, Gauge.inCelsius)
                Match("f", isA: .number, Gauge.inFahrenheit)
            })
        ),
        (
            "a closure",
            Mapping(matching: {
                Match(where: { $0["c"].exists }, Gauge.inCelsius)
                Otherwise(Gauge.inFahrenheit)
            })
        ),
    ]

    @Test(arguments: gauges.indices) func `A model is written by the case that reads the result`(index: Int)
        throws
    {
        let mapping = Self.gauges[index].1
        for text in [#"{"c":20.5}"#, #"{"f":68.0}"#] {
            let gauge = try mapping.map(text)
            let written = try mapping.json(of: gauge)
            #expect(try mapping.map(written) == gauge, "\(Self.gauges[index].0)")
            #expect(written == table(text))
        }
    }

    @Test func `Nested models are examined once per level`() throws {
        let depth = 14
        var text = #"{"new":0,"replies":[]}"#
        for level in 1..<depth { text = #"{"new":\#(level),"replies":[\#(text)]}"# }
        let mapping = Reply.mapping
        let reply = try mapping.map(text)
        Reply.questions.withLock { $0 = 0 }
        #expect(try mapping.json(of: reply).text == text)
        #expect(Reply.questions.withLock { $0 } <= 2 * depth)
    }

    @Test func `A model that matches no case is written by the first case of its type that writes all values`() throws {
        let mapping = Mapping<Gauge>(matching: {
            Match("c", isA: .string, Gauge.inCelsius)
            Match("f", isA: .string, Gauge.inFahrenheit)
        })
        #expect(try mapping.json(of: Gauge(celsius: 20)) == table(#"{"c": 20.0}"#))
        let error = #expect(throws: MappingError.self) { try mapping.json(of: Gauge(fahrenheit: 68)) }
        #expect(
            error?.description == "$: expected a Gauge that only one case writes; `values:` selects the models of a "
                + "case, found a model that case 1 ('c' is a string) and case 2 ('f' is a string) write differently")
    }

    @Test func `Cases by kind of value are written by their models`() throws {
        let text = #"["a",1]"#
        let events = try Event.mapping.mapAll(text)
        #expect(events == [.text("a"), .number(1)])
        #expect(try String(decoding: Event.mapping.serialize(events), as: UTF8.self) == text)
        try Event.mapping.validate()
    }

    @Test func `Two mappings of one type that write no discriminator are a mistake`() throws {
        func hidden(_ case1: String, _ case2: String) -> String {
            "expected cases of Gauge that can be distinguished when writing: by a rule that writes the value of the "
                + "case, or by `values:` (`values: { _ in nil }` excludes a case), "
                + "found case 2 (\(case2)), whose models are all written by case 1 (\(case1))"
        }
        let mapping = Mapping<Gauge>(matching: {
            Match("unit", is: "C", Gauge.inCelsius)
            Match("unit", is: "F", Gauge.inFahrenheit)
        })
        expectIssues(hidden("'unit' is 'C'", "'unit' is 'F'")) { try mapping.validate() }
        for gauge in [Gauge(fahrenheit: 68), Gauge(celsius: 20)] {
            #expect(throws: MappingError.self) { try mapping.json(of: gauge) }
        }
        expectIssues(hidden("wrapped in 'C'", "wrapped in 'F'")) {
            try Mapping<Gauge>(matching: {
                Match(wrappedIn: "C", Gauge.inCelsius)
                Match(wrappedIn: "F", Gauge.inFahrenheit)
            }).validate()
        }
        expectIssues(hidden("'unit' is 'C'", "'unit' is 'F'")) {
            try Mapping(Holder.init) { Relationship("gauge", \.gauge, mapping) }.validate()
        }
    }

    private struct Holder {
        var gauge = Gauge()
    }

    @Test func `Cases that write different values, aliases and read-only cases are valid`() throws {
        func units(_ rules: Mapping<Gauge>, _ more: Mapping<Gauge>) -> Mapping<Gauge> {
            Mapping(matching: {
                Match("unit", is: "C", rules)
                Match("unit", is: "F", more)
            })
        }
        let celsius = Mapping(Gauge.init) {
            Attribute("unit", \.unit); Attribute("c", \.celsius)
        }
        let fahrenheit = Mapping(Gauge.init) {
            Attribute("unit", \.unit); Attribute("f", \.fahrenheit)
        }
        try units(celsius, fahrenheit).validate()
        try units(celsius, celsius).validate()
        try Mapping<Gauge>(matching: {
            Match("unit", is: "C", Gauge.inCelsius)
            Match("unit", is: "F", Gauge.inFahrenheit, { $0 }, values: { _ in nil })
        }).validate()
        try Shape.mapping.validate()
        try Filter.mapping.validate()
    }
}
