import ObjectMapping
import Testing

/// Dumps read through windows of every size: the results must not depend on the windows.
struct WindowReadingTests {
    private static let entities = [
        RowEntity(
            name: "E",
            attributes: [
                column("id", "integer"), column("name"), column("x", "double"), column("tags", "[string]"),
                column("date", "date"), column("a", "json"), column("n", "integer", from: "items.@count"),
            ],
            relationships: [
                RowRelationship(name: "items", path: "items", destination: 0, isToMany: true),
                RowRelationship(name: "owner", path: "b.owner", destination: 0, isToMany: false),
            ])
    ]

    private static let dump = """
        \u{FEFF}{"skipped": {"deep": [[], {}, [{"k\\u00e9y": "v\\"al\\\\ue"}], -12.5e+3, true, false, null, "é😀"], "": 0},
         "data" : {"other": null, "list": [ {"id": 12, "name": "first\\n", "x": -1.5e2}, null,
          {"tags": ["a", "b\\u0041"], "items": [{"id": 1, "items": []}, {"id": 2}], "date": "2026-11-21"},
          {"b": {"owner": {"name": "é😀"}}, "a": { "z" : [ 1, 2 ] }} , {"id": "x", "items": [7]}, 5, "text", [],
          {"id": 99}, {}], "after": [1, 2, {"data": "no"}]}, "end": tru\u{65} }

        """

    @Test func `Elements are the same in every window`() throws {
        let whole = try rowTexts(of: Self.dump.utf8, Self.entities, at: "data.list")
        #expect(whole.count == 9)
        #expect(whole.last == "E()")
        #expect(whole[0] == "E(id: 12, name: \"first\\n\", x: real -150.0)")
        #expect(
            whole[3] == """
                4:70 $.data.list[4].id: expected an integer, found a string that cannot be converted to an integer (rule id -> E.id)
                4:85 $.data.list[4].items[0]: expected an object, found a number (rule items -> E.items)
                """)
        for size in Array(4...130) + [200, 256, 511, 1000] {
            for chunk in [1, 7, 64, 4096] {
                let texts = try rowTexts(
                    of: Self.dump.utf8, Self.entities, at: "data.list", windowSize: size, chunk: chunk)
                #expect(texts == whole, "window of \(size), chunks of \(chunk)")
            }
        }
    }

    @Test func `Every beginning of a dump is an error, in every window`() throws {
        let bytes = Array(Self.dump.utf8)
        for length in stride(from: 0, to: bytes.count - 1, by: 3) {
            for size in [8, 50, 4096] {
                let texts = try rowTexts(of: bytes[..<length], Self.entities, at: "data.list", windowSize: size)
                let expected = issues { _ = try JSON(Array(bytes[..<length])) }
                #expect(texts.last?.hasPrefix("error \(expected.prefix { $0 != " " })") == true, "\(length) bytes")
            }
        }
    }

    @Test func `A mistake has its position in every window`() throws {
        for (good, bad) in [
            ("-12.5e+3", "-12.5e+"), ("\"first", "\"fi\u{1}rst"), ("[ 1, 2 ]", "[ 1 2 ]"), ("tru\u{65} }", "tru }"),
            ("\"other\": null", "\"other\" null"), ("\"after\"", "after"), ("{}], ", "{}} "), ("b\\u0041", "b\\ud800"),
            ("{\"id\": 99}", "{\"id\": 099}"), ("null,\n", "nul,\n"), ("\"text\"", "\"text"),
        ] {
            let text = Self.dump.replacing(good, with: bad)
            let expected = issues { _ = try JSON(text) }
            for size in [8, 33, 100, 4096] {
                let texts = try rowTexts(of: text.utf8, Self.entities, at: "data.list", windowSize: size, chunk: 11)
                // A value that is skipped in pieces is named by its outermost container.
                let place = expected.prefix { $0 != " " }
                #expect(
                    texts.last?.hasPrefix("error \(place) $") == true,
                    "\(bad) in \(size): \(texts.last ?? "") for \(expected)")
            }
        }
    }

    @Test(arguments: [64, 256, 4096])
    func `Random dumps are the same in every window`(size: Int) throws {
        var json = RandomJSON(seed: size)
        json.keys = ["id", "name", "x", "tags", "items", "b", "owner", "a", "date", "\u{E9}t\u{E9}"]
        json.repeatsKeys = true
        for number in 0..<25 {
            let elements = (0..<Int.random(in: 0...20, using: &json.random)).map { _ in json.blank() + json.object(3) }
            let text = "[\(elements.joined(separator: ","))]"
            let whole = try rowTexts(of: text.utf8, Self.entities, windowSize: 1 << 20)
            #expect(try rowTexts(of: text.utf8, Self.entities, windowSize: size, chunk: 100) == whole, "dump \(number)")
            // Alone, too, every element gives the same.
            for (element, expected) in zip(elements, whole) where !expected.contains("expected") {
                #expect(try rowTexts(of: element.utf8, Self.entities) == [expected], "dump \(number)")
            }
        }
    }

    @Test func `An element can be larger than the window`() throws {
        let name = String(repeating: "long \\u00e9 ", count: 5000)
        let text = "[{\"id\": 1}, {\"name\": \"\(name)\"}, {\"id\": 3}]"
        let texts = try rowTexts(of: text.utf8, Self.entities, windowSize: 128, chunk: 100)
        #expect(texts.count == 3)
        #expect(texts[1] == "E(name: \"\(String(repeating: "long é ", count: 5000))\")")
        #expect(texts[2] == "E(id: 3)")
    }

    @Test func `Values outside of the path can be far larger than the window`() throws {
        let sibling = "[" + String(repeating: "{\"k\": [1, \"two\", {\"three\": null}]}, ", count: 20_000) + "0]"
        let text = "{\"before\": \(sibling), \"list\": [{\"id\": 1}], \"after\": \(sibling)}"
        let source = ByteChunks(text.utf8)
        let reader = try RowReader(
            source: source, plan: RowPlan(entities: Self.entities), entity: 0, at: "list", shape: .element,
            windowSize: 4096)
        #expect(try reader.next()?.index == 0)
        // Far from the end: nothing was kept or read ahead.
        #expect(source.taken < sibling.utf8.count + 3 * 4096)
        #expect(try reader.next() == nil)
    }

    @Test func `Broken JSON in an endless dump is found without reading further`() throws {
        let source = EndlessChunks("[{\"id\": 1}, {\"id\": 2}\n, {\"id\": 3,, \"name\": \"", then: "{\"id\": 4}, ")
        let reader = try RowReader(
            source: source, plan: RowPlan(entities: Self.entities), entity: 0, at: "", shape: .element, windowSize: 1024
        )
        #expect(try reader.next()?.index == 0)
        #expect(try reader.next()?.index == 1)
        for _ in 0..<2 {
            expectIssues("2:12 $[2]: expected a key in quotes after the comma, found ','") { _ = try reader.next() }
        }
        #expect(source.taken <= 2 * 1024)
    }

    @Test func `Endless nesting is found without reading further`() throws {
        for (head, path) in [("[{\"id\": ", ""), ("{\"other\": ", "list"), ("{\"list\": ", "list"), ("", "list")] {
            let source = EndlessChunks(head, then: "[")
            let reader = try RowReader(
                source: source, plan: RowPlan(entities: Self.entities), entity: 0, at: JSONKeyPath(path),
                shape: .element,
                windowSize: 256)
            let found = issues { _ = try reader.next() }
            #expect(
                found.hasSuffix("expected at most 512 levels of nesting, found nesting deeper than 512 levels"),
                "\(found)")
            #expect(source.taken <= 2048)
        }
    }

    @Test func `An error of the source is thrown, also by later calls`() throws {
        let bytes = Array("[{\"id\": 1}, {\"id\": 2}, {\"id\": 3}]".utf8)
        let plan = try RowPlan(entities: Self.entities)
        #expect(throws: ByteChunks.Failure.self) {
            _ = try RowReader(
                source: ByteChunks(bytes, by: 1, failsAt: 0), plan: plan, entity: 0, at: "", shape: .element,
                windowSize: 8)
        }
        for place in 8..<bytes.count {
            let reader = try RowReader(
                source: ByteChunks(bytes, by: 1, failsAt: place), plan: plan, entity: 0, at: "", shape: .element,
                windowSize: 8)
            #expect(throws: ByteChunks.Failure.self) { while try reader.next() != nil {} }
            #expect(throws: ByteChunks.Failure.self) { _ = try reader.next() }
        }
    }

    @Test func `An element has its text, path and position`() throws {
        let text = "{\"é\": [\n {\"id\": 1},\n  {\"id\":  2}]}"
        for size in [4, 10, 100] {
            let reader = try RowReader(
                source: ByteChunks(text.utf8), plan: RowPlan(entities: Self.entities), entity: 0, at: "é",
                shape: .element,
                windowSize: size)
            var found: [String] = []
            while let element = try reader.next() {
                let position = reader.position(of: element)
                found.append(
                    "\(position.line):\(position.column) \(position.offset) \(reader.steps) \(String(decoding: element.raw, as: UTF8.self))"
                )
            }
            #expect(found == ["2:2 10 \(Self.steps(0)) {\"id\": 1}", "3:3 23 \(Self.steps(1)) {\"id\":  2}"])
        }
    }

    private static func steps(_ index: Int) -> [JSONPathStep] { [.key("é"), .index(index)] }
}
