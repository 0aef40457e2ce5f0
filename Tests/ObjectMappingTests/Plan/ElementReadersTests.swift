import Foundation
import ObjectMapping
import Testing

/// The same payloads with all readers of collections.
struct ElementReadersTests {
    struct Item: Mappable {
        var id = 0
        var name: String?

        static let mapping = Mapping(Item.init) {
            Attribute("id", \.id).required
            Attribute("name", \.name)
        }
    }

    /// An object under a dynamic key.
    struct Keyed: Mappable {
        var name = ""
        var id = 0

        static let mapping = Mapping(Keyed.init) {
            Attribute(.key, \.name)
            Attribute("{name}.id", \.id)
        }
    }

    final class Known: Mappable {
        var id = 0
        var name: String?

        static let mapping = Mapping(Known.init) {
            Attribute("id", \.id)
            Attribute("name", \.name)
        }
        .identified(by: \.id)
    }

    struct Payload: CustomTestStringConvertible {
        let testDescription: String
        let text: String
        var path: JSONKeyPath = ""
        var shape = ElementShape.element
        var limits = MappingLimits()
        /// The readers, with their results for the text.
        let outcomes: [String: String]

        init(
            _ name: String, _ text: String, at path: JSONKeyPath = "", each shape: ElementShape = .element,
            limits: MappingLimits = MappingLimits(), _ outcomes: [String: String]
        ) {
            testDescription = name
            (self.text, self.path, self.shape, self.limits, self.outcomes) = (text, path, shape, limits, outcomes)
        }
    }

    // MARK: Readers

    private static func text(_ issues: [MappingIssue]) -> String {
        issues.map { "\($0.kind) \($0.line):\($0.column) \($0.path)" }.joined(separator: ", ")
    }

    private static func text(_ error: any Error) -> String {
        "error " + ((error as? MappingError).map { text($0.issues) } ?? "\(error)")
    }

    private static func text(_ element: RejectedElement) -> String {
        "[\(element.index) \(element.path) '\(String(decoding: element.json, as: UTF8.self))': \(text(element.issues))]"
    }

    private static func all<Model>(
        _ mapping: Mapping<Model>, _ payload: Payload, _ policy: MappingReport.Policy, parallel: Bool,
        _ describe: (Model) -> String
    ) -> String {
        var report = MappingReport(policy: policy)
        var settings = ParallelReading()
        (settings.threadCount, settings.shortestText) = (3, 0)
        (settings.shortestChunk, settings.longestChunk) = (8, 8)
        var parts: [String] = []
        do {
            let models = try mapping.mapAll(
                payload.text, at: payload.path, each: payload.shape, options: MappingOptions(limits: payload.limits),
                parallel: parallel ? settings : nil, report: &report)
            parts += models.map(describe)
        } catch {
            parts.append(text(error))
        }
        parts += report.rejected.map(text)
        if report.rejected.isEmpty, !report.issues.isEmpty { parts.append("reported " + text(report.issues)) }
        return parts.joined(separator: " ")
    }

    private static func elements<Model>(
        _ mapping: Mapping<Model>, _ payload: Payload, isRejecting: Bool, _ describe: (Model) -> String
    ) -> String {
        var parts: [String] = []
        let elements = mapping.elements(
            of: Data(payload.text.utf8), at: payload.path, each: payload.shape,
            options: MappingOptions(limits: payload.limits, log: nil),
            rejecting: isRejecting ? { parts.append(text($0)) } : nil)
        do {
            while let model = try elements.next() { parts.append(describe(model)) }
        } catch {
            parts.append(text(error))
        }
        return parts.joined(separator: " ")
    }

    private static func stream<Model>(
        _ mapping: Mapping<Model>, _ payload: Payload, isRejecting: Bool, _ describe: (Model) -> String
    ) async -> String {
        var parts: [String] = []
        var stream = mapping.stream(
            from: CountedChunks(payload.text.utf8, by: 3), at: payload.path, each: payload.shape,
            options: MappingOptions(limits: payload.limits, log: nil),
            rejecting: isRejecting ? { parts.append(text($0)) } : nil)
        stream.windowSize = 128
        do {
            for try await model in stream { parts.append(describe(model)) }
        } catch {
            parts.append(text(error))
        }
        return parts.joined(separator: " ")
    }

    private static func rows(_ payload: Payload) throws -> String {
        let entity = RowEntity(
            name: "Item", attributes: [column("id", "integer", required: true), column("name")], relationships: [])
        let plan = try RowPlan(entities: [entity])
        let source = ByteChunks(payload.text.utf8, by: 3)
        let reader: RowReader
        do {
            reader = try RowReader(
                source: source, plan: plan, entity: 0, at: payload.path, shape: payload.shape, windowSize: 8)
        } catch {
            return text(error)
        }
        var parts: [String] = []
        while true {
            do {
                guard let element = try reader.next() else { break }
                if element.isSound {
                    let slot = element.rows.slots[Int(element.rows.rows[0].firstSlot)]
                    let warnings = element.issues.isEmpty ? "" : "(\(text(element.issues)))"
                    parts.append("\(slot.integer)\(warnings)")
                } else {
                    let raw = String(decoding: element.raw, as: UTF8.self)
                    parts.append("[\(element.index) \(reader.steps.text) '\(raw)': \(text(element.issues))]")
                }
            } catch {
                parts.append(text(error))
                guard payload.shape == .line, let issue = (error as? MappingError)?.issues.first,
                    issue.kind == .syntax
                else { break }
                parts.append("skipped '\(String(decoding: reader.skipBadLine(), as: UTF8.self))'")
            }
        }
        return parts.joined(separator: " ")
    }

    private static func explanation<Model>(_ mapping: Mapping<Model>, _ payload: Payload) -> String {
        let explanation = mapping.explain(
            payload.text, at: payload.path, each: payload.shape, options: MappingOptions(limits: payload.limits),
            first: 2)
        var parts = explanation.objects.map { "\($0.path) \($0.isMade ? "made" : "not made")" }
        if explanation.hasMore { parts.append("more") }
        if !explanation.issues.isEmpty { parts.append(text(explanation.issues)) }
        return parts.joined(separator: " ")
    }

    private func outcomes<Model>(
        _ mapping: Mapping<Model>, _ payload: Payload, hasRows: Bool, _ describe: (Model) -> String
    ) async throws -> [String: String] {
        var all: [(String, String)] = []
        for (name, policy) in [("fail", MappingReport.Policy.fail), ("skip", .skipElement), ("collect", .collect)] {
            let one = Self.all(mapping, payload, policy, parallel: false, describe)
            all.append((name, one))
            #expect(Self.all(mapping, payload, policy, parallel: true, describe) == one, "several threads, \(name)")
        }
        for (name, isRejecting) in [("elements", false), ("rejecting", true)] {
            let one = Self.elements(mapping, payload, isRejecting: isRejecting, describe)
            all.append((name, one))
            #expect(await Self.stream(mapping, payload, isRejecting: isRejecting, describe) == one, "stream, \(name)")
        }
        if hasRows { all.append(("rows", try Self.rows(payload))) }
        all.append(("explain", Self.explanation(mapping, payload)))
        // Readers with equal results are listed together.
        var outcomes: [String: String] = [:]
        for text in Set(all.map(\.1)) { outcomes[all.filter { $0.1 == text }.map(\.0).joined(separator: " ")] = text }
        return outcomes
    }

    @Test(arguments: [
        Payload(
            "sound", #"[{"id":1}, {"id":2}]"#,
            [
                "fail skip collect elements rejecting rows": "1 2",
                "explain": "$[0] made $[1] made",
            ]),
        Payload(
            "an empty array", " [] ",
            [
                "fail skip collect elements rejecting rows explain": ""
            ]),
        Payload(
            "a lone object", #"{"id":1}"#,
            [
                "fail skip collect elements rejecting rows": "1",
                "explain": "$ made",
            ]),
        Payload(
            "null", "null",
            [
                "fail skip collect elements rejecting rows explain": ""
            ]),
        Payload(
            "a number", "5",
            [
                "fail elements": "error typeMismatch 1:1 $",
                "skip collect rejecting rows": "[0 $ '5': typeMismatch 1:1 $]",
                "explain": "$ not made",
            ]),
        Payload(
            "null elements", #"[{"id":1},null,{"id":3}]"#,
            [
                "fail skip collect elements rejecting rows": "1 3",
                "explain": "$[0] made $[2] made",
            ]),
        Payload(
            "elements with issues", #"[{"id":1},5,{"id":"x","name":2},{},{"id":4}]"#,
            [
                "fail": "error typeMismatch 1:11 $[1], typeMismatch 1:19 $[2].id, missing 1:33 $[3].id",
                "skip":
                    #"1 4 [1 $[1] '5': typeMismatch 1:11 $[1]] [2 $[2] '{"id":"x","name":2}': typeMismatch 1:19 $[2].id] [3 $[3] '{}': missing 1:33 $[3].id]"#,
                "collect": "1 0 0 4 [1 $[1] '5': typeMismatch 1:11 $[1]]",
                "elements": "1 error typeMismatch 1:11 $[1]",
                "rejecting rows":
                    #"1 [1 $[1] '5': typeMismatch 1:11 $[1]] [2 $[2] '{"id":"x","name":2}': typeMismatch 1:19 $[2].id] [3 $[3] '{}': missing 1:33 $[3].id] 4"#,
                "explain": "$[0] made $[1] not made more",
            ]),
        Payload(
            "a repeated key", #"[{"id":1,"id":2}]"#,
            [
                "fail skip collect": "2 reported duplicateKey 1:10 $[0].id",
                "elements rejecting": "2",
                "rows": "2(duplicateKey 1:10 $[0].id)",
                "explain": "$[0] made",
            ]),
        Payload(
            "at a path", #"{"a":[{"b":[{"id":1}]},{"b":null},{"b":[{"id":2},{}]}],"c":[7]}"#, at: "a.b",
            [
                "fail": "error missing 1:50 $.a[2].b[1].id",
                "skip rejecting rows": "1 2 [2 $.a[2].b[1] '{}': missing 1:50 $.a[2].b[1].id]",
                "collect": "1 2 0 reported missing 1:50 $.a[2].b[1].id",
                "elements": "1 2 error missing 1:50 $.a[2].b[1].id",
                "explain": "$.a[0].b[0] made $.a[2].b[0] made more",
            ]),
        Payload(
            "a path that leads nowhere", #"{"a":[{"id":1}]}"#, at: "b",
            [
                "fail skip collect elements rejecting rows": "error notFound 1:1 $",
                "explain": "notFound 1:1 $",
            ]),
        Payload(
            "a key of the path twice", #"{"a":[{"id":1}],"a":[]}"#, at: "a",
            [
                "fail skip collect": "error manyElements 1:21 $.a",
                "elements rejecting rows": "1 error manyElements 1:21 $.a",
                "explain": "$.a[0] made manyElements 1:21 $.a",
            ]),
        Payload(
            "broken in an element", #"[{"id":1},{"id" 2},{"id":3}]"#,
            [
                "fail skip collect": "error syntax 1:17 $[1].id",
                "elements rejecting rows": "1 error syntax 1:17 $[1].id",
                "explain": "$[0] made $[1] not made syntax 1:17 $[1].id",
            ]),
        Payload(
            "broken between elements", #"[{"id":1} {"id":2}]"#,
            [
                "fail skip collect": "error syntax 1:11 $",
                "elements rejecting rows": "1 error syntax 1:11 $[0]",
                "explain": "$[0] made syntax 1:11 $[0]",
            ]),
        Payload(
            "cut in an element", #"[{"id":1},{"id":2"#,
            [
                "fail skip collect": "error syntax 1:18 $[1]",
                "elements rejecting rows": "1 error syntax 1:18 $[1]",
                "explain": "$[0] made $[1] not made syntax 1:18 $[1]",
            ]),
        Payload(
            "cut in a number", "[{\"id\":1},\n12",
            [
                "fail skip collect": "error typeMismatch 2:1 $[1], syntax 2:3 $",
                "elements": "1 error typeMismatch 2:1 $[1]",
                "rejecting rows": "1 [1 $[1] '12': typeMismatch 2:1 $[1]] error syntax 2:3 $[1]",
                "explain": "$[0] made $[1] not made syntax 2:3 $[1]",
            ]),
        Payload(
            "text behind", #"[{"id":1}] x"#,
            [
                "fail skip collect": "error syntax 1:12 $",
                "elements rejecting rows": "1 error syntax 1:12 $",
                "explain": "$[0] made syntax 1:12 $",
            ]),
        Payload(
            "foreign encoding", "\u{0}[\u{0}]",
            [
                "fail skip collect elements rejecting rows": "error syntax 1:1 $",
                "explain": "syntax 1:1 $",
            ]),
        Payload(
            "members", #"{"a":{"id":1},"b":null,"c":7,"d":{"id":4}}"#, each: .member,
            [
                "fail": "error typeMismatch 1:19 $.b, typeMismatch 1:28 $.c",
                "skip collect": "1 4 [1 $.b 'null': typeMismatch 1:19 $.b] [2 $.c '7': typeMismatch 1:28 $.c]",
                "elements": "1 error typeMismatch 1:19 $.b",
                "rejecting rows": "1 [1 $.b 'null': typeMismatch 1:19 $.b] [2 $.c '7': typeMismatch 1:28 $.c] 4",
                "explain": "$.a made $.b not made more",
            ]),
        Payload(
            "members in an array", #"[{"a":{"id":1}}]"#, each: .member,
            [
                "fail elements": "error typeMismatch 1:1 $",
                "skip collect rejecting rows": #"[0 $ '[{"a":{"id":1}}]': typeMismatch 1:1 $]"#,
                "explain": "$ not made",
            ]),
        Payload(
            "lines", "{\"id\":1}\n\n {\"id\":2} \r\nnull\n[{\"id\":3}]\n{}\n{\"id\":4}", each: .line,
            [
                "fail": "error typeMismatch 4:1 $, typeMismatch 5:1 $, missing 6:1 $.id",
                "skip":
                    #"1 2 4 [2 $ 'null': typeMismatch 4:1 $] [3 $ '[{"id":3}]': typeMismatch 5:1 $] [4 $ '{}': missing 6:1 $.id]"#,
                "collect": #"1 2 0 4 [2 $ 'null': typeMismatch 4:1 $] [3 $ '[{"id":3}]': typeMismatch 5:1 $]"#,
                "elements": "1 2 error typeMismatch 4:1 $",
                "rejecting rows":
                    #"1 2 [2 $ 'null': typeMismatch 4:1 $] [3 $ '[{"id":3}]': typeMismatch 5:1 $] [4 $ '{}': missing 6:1 $.id] 4"#,
                "explain": "$ made $ made more",
            ]),
        Payload(
            "broken lines", "{\"id\":1}\n{\"id\":tru}\n{\"id\":3} 4\n{\"id\":5\n}\n{\"id\":6}", each: .line,
            [
                "fail": "error syntax 2:7 $.id",
                "skip collect": #"1 3 5 6 [1 $.id '{"id":tru}': syntax 2:7 $.id] [3 $ '4': typeMismatch 3:10 $]"#,
                "elements": "1 error syntax 2:7 $.id",
                "rejecting": #"1 [1 $ '{"id":tru}': syntax 2:7 $.id] 3 [3 $ '4': typeMismatch 3:10 $] 5 6"#,
                "rows": #"1 error syntax 2:7 $.id skipped '{"id":tru}' 3 [3 $ '4': typeMismatch 3:10 $] 5 6"#,
                "explain": "$ made $ not made syntax 2:7 $.id",
            ]),
        Payload(
            "invalid objects of several lines",
            "{\n\"id\":1\n}{\"id\":2}4\n{\n\"id\":tru\n}\n\n{\n\"id\":6}{\"id\":\n{\"id\":7}",
            each: .line,
            [
                "fail": "error syntax 3:10 $",
                "skip collect":
                    "1 6 7 [1 $ '{\"id\":2}4': syntax 3:10 $] [2 $.id '{\n\"id\":tru\n}': syntax 5:6 $.id] [4 $.id '{\"id\":': syntax 9:14 $.id]",
                "elements": "1 error syntax 3:10 $",
                "rejecting":
                    "1 [1 $ '{\"id\":2}4': syntax 3:10 $] [2 $ '{\n\"id\":tru\n}': syntax 5:6 $.id] 6 [4 $ '{\"id\":': syntax 9:14 $.id] 7",
                "rows":
                    "1 error syntax 3:10 $ skipped '{\"id\":2}4' error syntax 5:6 $.id skipped '{\n\"id\":tru\n}' 6 error syntax 9:14 $.id skipped '{\"id\":' 7",
                "explain": "$ made $ made syntax 3:10 $",
            ]),
        Payload(
            "a limit of elements", #"[{"id":1},{},{"id":3}]"#, limits: MappingLimits(elementCount: 2),
            [
                "fail skip collect": "error missing 1:11 $[1].id, limit 1:14 $[2]",
                "elements": "1 error missing 1:11 $[1].id",
                "rejecting rows": "1 [1 $[1] '{}': missing 1:11 $[1].id] 3",
                "explain": "$[0] made $[1] made more",
            ]),
        Payload(
            "a limit of an element's bytes", #"[{"id":1},{"id":"a long value"},{"id":3}]"#,
            limits: MappingLimits(elementByteCount: 12),
            [
                "fail": "error limit 1:11 $[1], typeMismatch 1:17 $[1].id",
                "skip": #"1 3 [1 $[1] '{"id":"a long value"}': limit 1:11 $[1], typeMismatch 1:17 $[1].id]"#,
                "collect": "1 0 3 reported limit 1:11 $[1], typeMismatch 1:17 $[1].id",
                "elements": "1 error limit 1:11 $[1]",
                "rejecting": #"1 [1 $[1] '{"id":"a long value"}': limit 1:11 $[1]] 3"#,
                "rows": #"1 [1 $[1] '{"id":"a long value"}': typeMismatch 1:17 $[1].id] 3"#,
                "explain": "$[0] made $[1] made more",
            ]),
        Payload(
            "a limit of depth", #"[{"id":1},{"id":2,"a":[]},{"id":3,"a":[[]]}]"#, limits: MappingLimits(depth: 3),
            [
                "fail skip collect": "error syntax 1:40 $[2].a[0]",
                "elements rejecting": "1 2 error syntax 1:40 $[2].a[0]",
                "rows": "1 2 3",
                "explain": "$[0] made $[1] made more",
            ]),
        Payload(
            "a limit of issues", #"[{"id":"x","name":1},{"id":2},{"id":"y","name":2}]"#,
            limits: MappingLimits(issueCount: 1),
            [
                "fail": "error typeMismatch 1:8 $[0].id, limit 1:37 $[2].id",
                "skip":
                    #"2 [0 $[0] '{"id":"x","name":1}': typeMismatch 1:8 $[0].id] [2 $[2] '{"id":"y","name":2}': typeMismatch 1:37 $[2].id]"#,
                "collect": "0 2 0 reported typeMismatch 1:8 $[0].id, limit 1:1 $",
                "elements": "error typeMismatch 1:8 $[0].id",
                "rejecting rows":
                    #"[0 $[0] '{"id":"x","name":1}': typeMismatch 1:8 $[0].id] 2 [2 $[2] '{"id":"y","name":2}': typeMismatch 1:37 $[2].id]"#,
                "explain": "$[0] made $[1] made more",
            ]),
    ])
    func `All readers of collections agree on elements, issues and positions`(_ payload: Payload) async throws {
        let outcomes = try await outcomes(Item.mapping, payload, hasRows: true) { "\($0.id)" }
        #expect(outcomes == payload.outcomes)
    }

    @Test(arguments: [
        Payload(
            "sound", #"[{"a":{"id":1},"b":{"id":2}},{},{"c":{"id":3}}]"#,
            [
                "fail skip collect elements rejecting": "a1 b2 c3",
                "explain": "$[0].a made $[0].b made more",
            ]),
        Payload(
            "with issues", #"[{"a":{"id":1},"b":{"id":"x"}},7,{"c":{"id":3}}]"#,
            [
                "fail": "error typeMismatch 1:26 $[0].b.id, typeMismatch 1:32 $[1]",
                "skip":
                    #"c3 [0 $[0] '{"a":{"id":1},"b":{"id":"x"}}': typeMismatch 1:26 $[0].b.id] [1 $[1] '7': typeMismatch 1:32 $[1]]"#,
                "collect": "a1 b0 c3 reported typeMismatch 1:26 $[0].b.id, typeMismatch 1:32 $[1]",
                "elements": "error typeMismatch 1:26 $[0].b.id",
                "rejecting":
                    #"[0 $[0] '{"a":{"id":1},"b":{"id":"x"}}': typeMismatch 1:26 $[0].b.id] [1 $[1] '7': typeMismatch 1:32 $[1]] c3"#,
                "explain": "$[0].a made $[0].b made more typeMismatch 1:32 $[1]",
            ]),
        Payload(
            "broken", #"[{"a":{"id":1}},{"b":{"id":2},"c" {"id":3}}]"#,
            [
                "fail skip collect": "error syntax 1:35 $[1].c",
                "elements rejecting": "a1 error syntax 1:35 $[1].c",
                "explain": "$[0].a made $[1].b made syntax 1:35 $[1].c",
            ]),
        Payload(
            "lines", "{\"a\":{\"id\":1},\"b\":{\"id\":2}}\n{\"c\":\n{\"d\":{\"id\":4}} 5\n{}", each: .line,
            [
                "fail": "error syntax 2:6 $.c",
                "skip": #"a1 b2 d4 [1 $.c '{"c":': syntax 2:6 $.c] [3 $ '5': typeMismatch 3:16 $]"#,
                "collect": #"a1 b2 d4 [1 $.c '{"c":': syntax 2:6 $.c]"#,
                "elements": "a1 b2 error syntax 2:6 $.c",
                "rejecting": #"a1 b2 [1 $ '{"c":': syntax 2:6 $.c] d4 [3 $ '5': typeMismatch 3:16 $]"#,
                "explain": "$.a made $.b made $.c made syntax 2:6 $.c",
            ]),
    ])
    func `Elements under dynamic keys give any number of models`(_ payload: Payload) async throws {
        let outcomes = try await outcomes(Keyed.mapping, payload, hasRows: false) { "\($0.name)\($0.id)" }
        #expect(outcomes == payload.outcomes)
    }

    @Test func `A repeated dynamic key gives one model, also after other elements`() throws {
        let text = #"[{"a":{"id":1}},{"b":{"id":2},"c":{"id":3},"b":{"id":4}},{"d":{"id":5}}]"#
        let models = try Keyed.mapping.mapAll(text)
        #expect(Set(models.map { "\($0.name)\($0.id)" }) == ["a1", "c3", "b4", "d5"] && models.count == 4)
        let elements = Keyed.mapping.elements(of: Data(text.utf8))
        var names = ""
        while let model = try elements.next() { names += model.name }
        #expect(names.first == "a" && Set(names) == Set("abcd") && names.count == 4)
    }

    @Test func `A session forgets skipped elements`() throws {
        let text = Data(#"[{"id":1},{"id":2,"name":{}},{"id":3}]"#.utf8)
        let lines = Data("{\"id\":1}\n{\"id\":2}2\n{\"id\":3}".utf8)
        func known(_ read: (MappingSession) throws -> Void) rethrows -> [Int] {
            let session = MappingSession()
            try read(session)
            return (1...3).filter { session.find(Known.self, $0) != nil }
        }
        for (payload, shape) in [(text, ElementShape.element), (lines, .line)] {
            let mapped = try known { session in
                var report = MappingReport(policy: .skipElement)
                _ = try Known.mapping.mapAll(payload, each: shape, in: session, report: &report)
            }
            #expect(mapped == [1, 3])
            let streamed = try known { session in
                let elements = Known.mapping.elements(of: payload, each: shape, in: session, rejecting: { _ in })
                while try elements.next() != nil {}
            }
            #expect(streamed == [1, 3])
            let failed = known { _ = try? Known.mapping.mapAll(payload, each: shape, in: $0) }
            #expect(failed == [])
            let ended = known { session in
                let elements = Known.mapping.elements(of: payload, each: shape, in: session)
                while let next = try? elements.next() { _ = next }
            }
            #expect(ended == [1])
        }
    }
}
