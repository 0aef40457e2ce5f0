import ObjectMapping
import TestSupport
import Testing

struct LinesTests {
    private static let entities = [
        RowEntity(name: "E", attributes: [column("id", "integer"), column("name")], relationships: [])
    ]

    /// The elements of NDJSON, including invalid lines, as read with `--on-error skip`.
    private static func lines(_ text: String, windowSize: Int = 4096, chunk: Int = .max) throws -> [String] {
        let plan = try RowPlan(entities: entities)
        let reader = try RowReader(
            source: ByteChunks(text.utf8, by: chunk), plan: plan, entity: 0, at: "",
            shape: .line,
            windowSize: windowSize)
        let format = RowText(tables: plan.tables)
        var texts: [String] = []
        while true {
            do {
                guard let element = try reader.next() else { return texts }
                texts.append(format.text(of: element))
            } catch let error as MappingError {
                texts.append("\(error) in \(String(decoding: reader.skipBadLine(), as: UTF8.self))")
            }
        }
    }

    /// Reads a text through windows of many sizes, which must agree.
    private static func expectLines(
        _ text: String, _ expected: [String], sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        expectTexts(try lines(text), expected, sourceLocation: sourceLocation)
        for size in [4, 5, 7, 16, 33, 100] {
            expectTexts(try lines(text, windowSize: size, chunk: 3), expected, sourceLocation: sourceLocation)
        }
    }

    @Test(arguments: [
        "{\"id\": 1}\n{\"id\": 2}\n", "{\"id\": 1}\n{\"id\": 2}", "{\"id\": 1}\r\n{\"id\": 2}\r\n",
        "\n\n{\"id\": 1}\n \t\r\n\n  {\"id\": 2}  \n\n",
        "\u{FEFF}{\"id\": 1}\n{\"id\": 2}\n ", "{\"id\":\t1}\r\n\r\n{\"id\":2} ",
    ])
    func `Each line is an element, except blank lines, with any line endings`(text: String) throws {
        try Self.expectLines(text, ["E(id: 1)", "E(id: 2)"])
    }

    @Test(arguments: ["", "\n", " \r\n\n", "\u{FEFF}"])
    func `A text of blanks has no elements`(text: String) throws {
        try Self.expectLines(text, [])
    }

    @Test func `An invalid line is reported with its position, and the next one is read`() throws {
        try Self.expectLines(
            "{\"id\": 1}\n{\"id\": tru}\r\n{\"id\": \"é\n  {\"id\": 2} 7\n{\"id\": 3}}\n{\"id\": 4}\n{\"id\": [\n\n{\"id\": 5}\n{",
            [
                "E(id: 1)",
                "2:8 $.id: expected a value after the colon, found an invalid literal in {\"id\": tru}",
                "3:10 $.id: expected the closing quote of the string, found the end of the line in {\"id\": \"é",
                "E(id: 2)", "4:13 $: expected an object, found a number",
                "5:10 $: expected the end of the text, found text after the value in {\"id\": 3}}", "E(id: 4)",
                "7:9 $.id[0]: expected a value or ']', found the end of the line in {\"id\": [", "E(id: 5)",
                "10:2 $: expected a key in quotes or '}', found the end of the text in {",
            ])
    }

    @Test(arguments: [
        "{\"id\": 1}{\"id\": 2}", "{\"id\": 1} {\"id\": 2}\t\n", "{\"id\":\n1}\n{\"id\": 2}\n",
        "{\n  \"id\": 1\n}\n{\n  \"id\": 2\n}\n", "{\r\n\t\"id\": 1\r\n}{\r\n\t\"id\": 2\r\n}\r\n",
        "{\n\n\"id\": 1\n\n} {\"id\": 2}",
    ])
    func `Elements follow each other on a line, and objects continue in the next ones`(text: String) throws {
        try Self.expectLines(text, ["E(id: 1)", "E(id: 2)"])
    }

    @Test func `Elements on one line have their positions`() throws {
        try Self.expectLines(
            "{\"id\": 1} {\"id\": \"x\"}{\"id\": 3} 7\n{\n \"id\": \"y\"}",
            [
                "E(id: 1)",
                "1:18 $.id: expected an integer, found a string that cannot be converted to an integer (rule id -> E.id)",
                "E(id: 3)", "1:32 $: expected an object, found a number",
                "3:8 $.id: expected an integer, found a string that cannot be converted to an integer (rule id -> E.id)",
            ])
    }

    @Test func `An invalid object of several lines is skipped up to the next line with an object`() throws {
        try Self.expectLines(
            "{\n  \"id\": 1,\n  \"a\": tru,\n  \"b\": [\n    {}\n  ]\n}\n\n{\n  \"id\": 2\n}\n{\n  \"id\": 3\n",
            [
                "3:8 $.a: expected a value after the colon, found an invalid literal in "
                    + "{\n  \"id\": 1,\n  \"a\": tru,\n  \"b\": [\n    {}\n  ]\n}",
                "E(id: 2)",
                "13:10 $: expected a comma or '}', found the end of the line in {\n  \"id\": 3",
            ])
    }

    @Test func `A truncated line is an issue of that line if an object follows`() throws {
        try Self.expectLines(
            "{\"id\": 1, \"a\": [\n{\"id\": 2}\n{\"id\": 3}\n",
            [
                "1:17 $.a[0]: expected a value or ']', found the end of the line in {\"id\": 1, \"a\": [", "E(id: 2)",
                "E(id: 3)",
            ])
    }

    @Test func `An issue of a line names the line`() throws {
        try Self.expectLines(
            "{\"id\": 1}\n\n{\"name\": \"é\", \"id\": \"x\"}\n5\nnull\n[{\"id\": 1}]\n{\"id\": 2}",
            [
                "E(id: 1)",
                "3:21 $.id: expected an integer, found a string that cannot be converted to an integer (rule id -> E.id)",
                "4:1 $: expected an object, found a number", "5:1 $: expected an object, found null",
                "6:1 $: expected an object, found an array", "E(id: 2)",
            ])
    }

    @Test func `An array with one element per line is refused at its first line`() throws {
        let source = EndlessChunks("[\n", then: "{\"id\": 1},\n")
        let reader = try RowReader(
            source: source, plan: RowPlan(entities: Self.entities), entity: 0, at: "", shape: .line, windowSize: 64)
        expectIssues("1:2 $[0]: expected a value or ']', found the end of the line") { _ = try reader.next() }
        #expect(source.taken == 64)
    }

    @Test func `Random lines are the same in every window`() throws {
        var json = RandomJSON(seed: 12)
        let text = (0..<80).map { _ in
            let line = json.random.chance(in: 6) ? json.string() + json.random.pick(["", "x", "\""]) : json.object(2)
            return String(line.unicodeScalars.map { $0 == "\n" ? " " : Character($0) })
                + json.random.pick(["", " ", "\r"])
        }.joined(separator: "\n")
        let whole = try Self.lines(text)
        #expect(whole.count == 80)
        for size in [16, 100, 500] { #expect(try Self.lines(text, windowSize: size, chunk: 50) == whole) }
    }
}
