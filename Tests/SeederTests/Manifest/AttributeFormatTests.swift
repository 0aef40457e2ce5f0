import Foundation
import TestSupport
import Testing

/// Dates and numbers that a manifest reads in a format.
@Suite struct AttributeFormatTests {
    @Test(arguments: [
        ("date", "seconds", #""1700000000""#, "'2023-11-14T22:13:20.000Z'"),
        ("date", "seconds", "1700000000.5", "'2023-11-14T22:13:20.500Z'"),
        ("date", "secondsString", #""1700000000""#, "'2023-11-14T22:13:20.000Z'"),
        ("date", "milliseconds", "1700000000123", "'2023-11-14T22:13:20.123Z'"),
        ("date", "millisecondsString", #""1700000000123""#, "'2023-11-14T22:13:20.123Z'"),
        ("date", "dd.MM.yyyy HH:mm", #""14.11.2023 22:13""#, "'2023-11-14T22:13:00.000Z'"),
        ("date", "dd.MM.yyyy", "null", "NULL"), ("integer", "string", #""7""#, "7"), ("integer", "string", "7", "7"),
        ("double", "string", #""1.5""#, "1.5"), ("decimal", "0.00", #""12.50""#, "'12.5'"),
        ("[decimal]", "string", #"["1.50","2"]"#, #"'["1.5","2"]'"#),
    ])
    func `A value is read in the format of its attribute`(
        _ type: String, _ format: String, _ value: String, _ stored: String
    ) throws {
        let attribute = #""x": { "type": "\#(type)", "format": "\#(format)" }"#
        let folder = try SeedFolder([
            "tasks.json": #"[{"id":1,"x":\#(value)}]"#, "seed.json": taskManifest(attributes: attribute),
        ])
        try folder.build()
        #expect(try folder.rows("SELECT x FROM Task") == [stored])
    }

    @Test func `The names of members are read in a format`() throws {
        let attribute = #""x": { "from": "@key", "type": "date", "format": "seconds" }"#
        let folder = try SeedFolder([
            "tasks.json": #"{"1700000000":{"id":1},"soon":{"id":2}}"#,
            "seed.json": taskManifest(
                attributes: attribute, sources: #"{ "file": "tasks.json", "entity": "Task", "each": "member" }"#),
        ])
        #expect(
            try folder.buildError()?.1.first
                == "tasks.json:1:31 $.soon: expected seconds since 1970, found a string that cannot be converted (rule @key -> Task.x)"
        )
        try folder.folder.write(#"{"1700000000":{"id":1}}"#, to: "tasks.json")
        try folder.build()
        #expect(try folder.rows("SELECT x FROM Task") == ["'2023-11-14T22:13:20.000Z'"])
    }

    @Test(arguments: [
        ("seconds", "true", "expected seconds since 1970, found a boolean"),
        ("seconds", #""soon""#, "expected seconds since 1970, found a string that cannot be converted"),
        ("dd.MM.yyyy", "1700000000", "expected a date in the format dd.MM.yyyy, found a number"),
        (
            "dd.MM.yyyy", #""31.02.2023""#,
            "expected a date in the format dd.MM.yyyy, found a string that cannot be converted"
        ),
    ])
    func `A value in another format is an issue that names the format`(
        _ format: String, _ value: String, _ message: String
    ) throws {
        let attribute = #""x": { "type": "date", "format": "\#(format)", "optional": false }"#
        let folder = try SeedFolder([
            "tasks.json": #"[{"id":1,"x":\#(value)}]"#, "seed.json": taskManifest(attributes: attribute),
        ])
        #expect(try folder.buildError()?.1.first == "tasks.json:1:14 $[0].x: \(message) (rule x -> Task.x)")
    }

    @Test(arguments: [
        (#""type": "date", "format": "second""#, "format: unknown format 'second'; did you mean 'seconds'?"),
        (#""type": "date", "format": "Q""#, "format: invalid format of a date: "),
        (
            #""type": "[date]", "format": "seconds""#,
            "format: 'format' is for numbers and single dates, and the type is [date]"
        ),
        (
            #""type": "string", "format": "string""#,
            "format: 'format' is for numbers and single dates, and the type is string"
        ),
        (#""type": "integer", "format": "0.00""#, "format: unknown format '0.00'; expected 'string'"),
        (
            #""type": "decimal", "format": "0,00""#,
            "format: unknown format '0,00'; expected 'string', or a number of digits such as '0.00'"
        ),
        (
            #""type": "date", "match": "^(.*)$", "format": "seconds""#,
            "format: 'format' cannot be combined with 'match' or 'join'"
        ),
        (
            #""type": "date", "formt": "seconds""#,
            "formt: expected the key 'from', 'match', 'type', 'format', 'optional', 'unique', 'searchable', 'default' or 'join', found an unknown key; did you mean 'format'?"
        ),
        (#""type": "date", "format": 7"#, "format: expected a string, found a number"),
    ])
    func `A format that the type does not have is an issue of the manifest`(_ members: String, _ issue: String) throws {
        let folder = try SeedFolder([
            "tasks.json": "[]", "seed.json": taskManifest(attributes: "\"x\": { \(members) }"),
        ])
        let line = try folder.buildError()?.1.first { $0.contains(".x.") } ?? ""
        #expect(line.contains("$.model.Task.attributes.x.\(issue)"), "\(line)")
    }

    @Test func `A draft names the format of strings with amounts and times`() throws {
        let folder = try SeedFolder([
            "items.json": #"""
            [{"id":1,"price":"19.90","fee":"1.5","seen_at":"1700000000","expires":"1700000000123","phone":"1700000000"},
             {"id":2,"price":"4.50","fee":"0.25","seen_at":"1700000060","expires":"1700000000124","phone":"1700000001"}]
            """#
        ])
        let result = try folder.run("infer", "items.json", "-o", "seed.json")
        let text = try folder.folder.text(of: "seed.json")
        for line in [
            #""price":   { "type": "decimal", "format": "0.00", "optional": false }"#,
            #""fee":     { "type": "decimal", "format": "string", "optional": false }"#,
            #""seenAt":  { "from": "seen_at", "type": "date", "format": "secondsString", "optional": false }"#,
            #""expires": { "type": "date", "format": "millisecondsString", "optional": false }"#,
            #""phone":   { "type": "string", "optional": false }"#,
        ] { #expect(text.contains(line), "\(text)") }
        #expect(
            result.errors.contains(
                "uncertain: Item.seenAt date: 2 strings in the range of seconds since 1970, and named like a time"))
        #expect(try folder.run("build", "seed.json", "-q", "-o", "out.sqlite").status == 0)
        #expect(
            try folder.rows("SELECT seenAt, expires FROM Item WHERE id = 1") == [
                "'2023-11-14T22:13:20.000Z', '2023-11-14T22:13:20.123Z'"
            ])
    }
}
