import ObjectMapping
import Testing

struct StreamIssuesTests {
    struct Task: Mappable, Equatable {
        var id = 0
        var name: String?

        static let mapping = Mapping(Task.init) {
            Attribute("id", \.id).required
            Attribute("name", \.name)
        }
    }

    private static func texts(
        _ text: String, at path: JSONKeyPath = "", each shape: ElementShape = .element,
        options: MappingOptions = MappingOptions(), windowSize: Int = 16
    ) async -> [String] {
        var stream = Task.mapping.stream(
            from: CountedChunks(text.utf8, by: 5), at: path, each: shape, options: options)
        stream.windowSize = windowSize
        return await streamTexts(stream)
    }

    @Test func `An element with issues ends the stream, and has its position in the whole text`() async {
        let text = """
            {"project": {"name": "é😀",
              "tasks": [
                {"id": 1},
                {"name": "é", "id": true, "nmae": null},
                {"id": 3}
            ]}}
            """
        #expect(
            await Self.texts(text, at: "project.tasks") == [
                "Task(id: 1, name: nil)",
                "error 4:25 $.project.tasks[1].id: expected an integer, found a boolean (rule id -> Task.id)",
            ])
    }

    @Test func `All issues of an element are reported`() async {
        let texts = await Self.texts(#"[{"id": "x", "name": {}}, {"id": 2}]"#)
        #expect(
            texts == [
                """
                error 1:9 $[0].id: expected an integer, found a string that cannot be converted to an integer (rule id -> Task.id)
                1:22 $[0].name: expected a string, found an object (rule name -> Task.name)
                """
            ])
    }

    @Test func `Rejected elements are skipped and reported with their text`() async throws {
        let text = """
            {"tasks": {"a": {"id": 1},
             "b": {"identity": 2, "name": "x"}, "c": {"id": 3}, "d": 5, "e": null,
             "f": {"id":  4.5} }}
            """
        var rejected: [RejectedElement] = []
        var stream = Task.mapping.stream(from: CountedChunks(text.utf8, by: 3), at: "tasks", each: .member) {
            rejected.append($0)
        }
        stream.windowSize = 8
        #expect(await streamTexts(stream) == ["Task(id: 1, name: nil)", "Task(id: 3, name: nil)"])
        #expect(rejected.map(\.index) == [1, 3, 4, 5])
        #expect(rejected.map(\.path) == ["$.tasks.b", "$.tasks.d", "$.tasks.e", "$.tasks.f"])
        #expect(
            rejected.map { String(decoding: $0.json, as: UTF8.self) }
                == ["{\"identity\": 2, \"name\": \"x\"}", "5", "null", "{\"id\":  4.5}"])
        #expect(
            rejected.flatMap(\.issues).map(\.description) == [
                "2:7 $.tasks.b.id: expected the key 'id', found no such key (rule id -> Task.id)",
                "2:58 $.tasks.d: expected an object, found a number",
                "2:66 $.tasks.e: expected an object, found null",
                "3:15 $.tasks.f.id: expected an integer, found a number with a fraction (rule id -> Task.id)",
            ])
    }

    @Test func `A closure for rejected elements can end the stream`() async {
        struct Enough: Error {}
        let stream = Task.mapping.stream(from: Data("[{}, {\"id\": 1}]".utf8)) { _ in throw Enough() }
        #expect(await streamTexts(stream) == ["error Enough()"])
    }

    @Test func `A broken line is rejected like any other element`() async {
        let text = "{\"id\": 1}\n{\"id\": tru}\r\n\n  {\"id\": 2} 7\n{\"id\": \n3}\n{\"id\": 4}\n{\"id\""
        let all = await Self.texts(text, each: .line)
        #expect(
            all == [
                "Task(id: 1, name: nil)",
                "error 2:8 $.id: expected a value after the colon, found an invalid literal",
            ])
        for size in [4, 9, 4096] {
            var rejected: [String] = []
            var stream = Task.mapping.stream(from: CountedChunks(text.utf8, by: size / 2), each: .line) {
                rejected.append("\($0.index) \($0.path) \(String(decoding: $0.json, as: UTF8.self)) \($0.issues[0])")
            }
            stream.windowSize = size
            #expect(await streamTexts(stream) == (1...4).map { "Task(id: \($0), name: nil)" })
            expectTexts(
                rejected,
                [
                    """
                    1 $ {"id": tru} 2:8 $.id: expected a value after the colon, \
                    found an invalid literal
                    """,
                    "3 $ 7 4:13 $: expected an object, found a number",
                    "6 $ {\"id\" 8:6 $.id: expected a colon after the key, found the end of the text",
                ])
        }
    }

    @Test func `Broken JSON ends the stream, even if elements are rejected`() async {
        var rejected = 0
        let stream = Task.mapping.stream(from: Data("[{}, {\"id\": 1}, {\"id\" 2}, {\"id\": 3}]".utf8)) { _ in
            rejected += 1
        }
        #expect(
            await streamTexts(stream) == [
                "Task(id: 1, name: nil)", "error 1:23 $[2].id: expected a colon after the key, found '2'",
            ])
        #expect(rejected == 1)
    }

    @Test func `A truncated text is an error after its complete elements`() async {
        #expect(
            await Self.texts("[{\"id\": 1}, {\"id\": 2") == [
                "Task(id: 1, name: nil)",
                "error 1:21 $[1]: expected a comma or '}', found the end of the text",
            ])
        #expect(
            await Self.texts("[{\"id\": 1},\n") == [
                "Task(id: 1, name: nil)", "error 2:1 $[1]: expected a value after the comma, found the end of the text",
            ])
    }

    @Test func `An element larger than the limit is an issue`() async {
        let options = MappingOptions(limits: MappingLimits(elementByteCount: 100))
        let name = String(repeating: "x", count: 90)
        let text = "{\"list\":[{\"id\": 1},\n {\"id\": 2, \"name\": \"\(name)\"}]}"
        #expect(
            await Self.texts(text, at: "list", options: options) == [
                "Task(id: 1, name: nil)",
                "error 2:2 $.list[1]: expected an element of at most 100 bytes, found a larger element",
            ])
        let lines = "{\"id\": 1}\n{\"id\": 2, \"name\": \"\(name)\"}\n"
        #expect(
            await Self.texts(lines, each: .line, options: options) == [
                "Task(id: 1, name: nil)",
                "error 2:1 $: "
                    + "expected an element of at most 100 bytes, found a larger element",
            ])
    }

    @Test func `An element larger than the limit is skipped even if it is in memory`() async {
        let options = MappingOptions(limits: MappingLimits(elementByteCount: 20))
        let text = Data(#"[{"id": 1}, {"id": 2, "name": "a long name"}, {"id": 3}]"#.utf8)
        var rejected: [String] = []
        let stream = Task.mapping.stream(from: text, options: options) { rejected += $0.issues.map(\.description) }
        #expect(await streamTexts(stream) == ["Task(id: 1, name: nil)", "Task(id: 3, name: nil)"])
        #expect(rejected == ["1:13 $[1]: expected an element of at most 20 bytes, found an element of 32 bytes"])
    }

    @Test func `An element larger than the window reports the smaller limit of elements`() async {
        let text = Data("[{\"id\": 1, \"name\": \"\(String(repeating: "x", count: 90))\"}]".utf8)
        var stream = Task.mapping.stream(
            from: text, options: MappingOptions(limits: MappingLimits(elementByteCount: 10)))
        stream.windowSize = 32
        #expect(
            await streamTexts(stream) == [
                "error 1:2 $[0]: "
                    + "expected an element of at most 10 bytes, found a larger element"
            ]
        )
    }

    @Test func `A missing path is an error that names the existing keys`() async {
        #expect(
            await Self.texts(#"{"tsaks": [], "users": []}"#, at: "tasks") == [
                """
                error 1:1 $: expected elements at 'tasks', found the keys tsaks, users; did you mean 'tsaks'?
                """
            ])
    }

    @Test func `The limit of depth counts from the text's beginning`() async {
        let options = MappingOptions(limits: MappingLimits(depth: 4))
        for text in [#"{"a":[{"id":[[1]]}]}"#, #"{"b":[[[[1]]]],"a":[]}"#] {
            let last = await Self.texts(text, at: "a", options: options).last
            #expect(
                last?.hasSuffix("expected at most 4 levels of nesting, found nesting deeper than 4 levels") == true,
                "\(last ?? "")")
        }
    }

    @Test func `Warnings, issues and skipped elements are logged`() async {
        final class Log: @unchecked Sendable {  // guarded by the test's one task
            var lines: [String] = []
        }
        let log = Log()
        let options = MappingOptions(log: { event in
            switch event {
            case .ended(let model, let made, let rejected, _): log.lines.append("\(model) \(made) \(rejected)")
            case .failed(let model, let count, _): log.lines.append("\(model) failed \(count)")
            default: log.lines.append("\(event)")
            }
        })
        let text = Data(#"[{"id": 1, "id": 2}, {}, {"id": 3}]"#.utf8)
        _ = await streamTexts(Task.mapping.stream(from: text, options: options, rejecting: { _ in }))
        _ = await streamTexts(Task.mapping.stream(from: Data("[{}]".utf8), options: options))
        #expect(
            log.lines == [
                "1:12 $[0].id: expected unique keys, found a duplicate key (rule id -> Task.id)",
                "1:22 $[1].id: expected the key 'id', found no such key (rule id -> Task.id)",
                "$[1]: skipped because of 1 issue", "Task 2 1",
                "1:2 $[0].id: expected the key 'id', found no such key (rule id -> Task.id)", "Task failed 1",
            ])
    }
}
