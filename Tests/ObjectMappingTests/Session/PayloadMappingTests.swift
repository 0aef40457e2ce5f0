import ObjectMapping
import Synchronization
import Testing

private struct Page: Mappable, Equatable {
    var number = 0
    var total = 0

    static let mapping = Mapping(Page.init) {
        Attribute("number", \.number)
        Attribute("meta.total", \.total)
    }
}

struct PayloadMappingTests {
    private let payload = PayloadMapping {
        Root("jobs", Job.mapping)
        Root("linked.workers", Worker.mapping)
        Root("page", Page.mapping)
    }

    @Test func `Several types under several key paths give one result`() throws {
        let result = try payload.map(
            """
            {"page": {"number": 3}, "jobs": [{"id": 1, "user_id": 7}, {"id": 2}],
             "linked": {"workers": [{"id": 7, "job_ids": [2]}]}, "more": 5}
            """)
        let jobs = result[Job.self]
        let worker = try #require(result.first(Worker.self))
        defer { worker.release() }
        #expect(jobs.map(\.id) == [1, 2] && jobs[0].user === worker && worker.jobs.first === jobs[1])
        #expect(result[Page.self] == [Page(number: 3)] && result["page"] as? [Page] == [Page(number: 3)])
        #expect(result.count == 4 && !result.isEmpty && result.models.count == 4)
        #expect(result.keyPaths == ["jobs", "linked.workers", "page"] && result["more"] == nil)
        #expect(result[String.self].isEmpty && result.first(Int.self) == nil)
    }

    @Test func `Absent key paths are skipped`() throws {
        let result = try payload.map(#"{"jobs": [], "linked": {"workers": [null, null]}, "page": null}"#)
        #expect(result.keyPaths == ["jobs"] && result.isEmpty && result.count == 0)
        #expect(result["jobs"]?.isEmpty == true && result["page"] == nil && result["linked.workers"] == nil)
    }

    @Test(arguments: [
        #"{"a": [null, [{"b": null}, null]], "c": {}}"#, #"{"a": [[], [null]], "c": {}}"#,
        #"{"a": [{"b": [null]}], "c": {}}"#,
    ])
    func `A key path that only leads to nulls, also through arrays, is skipped`(text: String) throws {
        let mapping = PayloadMapping {
            Root("a.b", Worker.mapping)
            Root("c", Worker.mapping)
        }
        let result = try mapping.map(text, options: MappingOptions(requiresMappedKey: false))
        #expect(result.keyPaths == ["c"])
    }

    @Test func `The whole document can be a root among others`() throws {
        let whole = PayloadMapping {
            Root("", Page.mapping)
            for key in ["a", "b"] { Root(JSONKeyPath(key), each: .member, Worker.mapping) }
        }
        let result = try whole.map(#"{"number": 1, "meta": {"total": 9}, "b": {"x": {"id": 2}, "y": {"id": 1}}}"#)
        #expect(result[Page.self] == [Page(number: 1, total: 9)] && result[Worker.self].compactMap(\.id) == [2, 1])
        #expect(result.keyPaths == ["", "b"])
    }

    @Test(arguments: ["{}", "[]", " { } "]) func `An empty document gives an empty result`(text: String) throws {
        let result = try payload.map(text)
        #expect(result.isEmpty && result.keyPaths.isEmpty)
    }

    @Test(arguments: ["{}", " { } ", "[]"])
    func `A root of the whole document creates no model from an empty one`(text: String) throws {
        let payload = PayloadMapping {
            Root("", Page.mapping)
            Root("jobs", Job.mapping)
        }
        let result = try payload.map(text)
        #expect(result.count == 0)
        #expect(result[Page.self].isEmpty)
        let session = MappingSession()
        #expect(try PayloadMapping { Root("", Job.mapping) }.map(text, in: session).count == 0)
    }

    @Test func `An empty object below a key and an empty element are models`() throws {
        #expect(try PayloadMapping { Root("page", Page.mapping) }.map(#"{"page": {}}"#).count == 1)
        #expect(try PayloadMapping { Root("", Page.mapping) }.map("[{}, {}]").count == 2)
        #expect(try PayloadMapping { Root("", each: .line, Page.mapping) }.map("{}\n{}").count == 2)
        #expect(throws: MappingError.self) { try PayloadMapping { Root("", Page.mapping) }.map("{}}") }
    }

    @Test func `A document without any of the key paths is an issue that names them`() {
        expectIssues(
            """
            1:1 $: expected a value at one of the key paths jobs, linked.workers, page, found the keys job, Page, error; \
            did you mean 'job'?
            """
        ) { _ = try payload.map(#"{"job": [], "Page": {}, "error": "x"}"#) }
        expectIssues("1:1 $: expected a value at one of the key paths jobs, linked.workers, page, found no keys") {
            _ = try payload.map("[1]")
        }
        expectIssues(
            "1:1 $: expected a value at one of the key paths jobs, linked.workers, page, found the keys linked"
        ) {
            _ = try payload.map(#"{"linked": null}"#)
        }
    }

    @Test(arguments: [
        #"{"jobs": null}"#, #"{"linked": {"workers": null}, "error": 1}"#, #"{"jobs": [], "page": null}"#,
        #"{"jobs": [null]}"#,
    ]) func `Null at the key path of a root is no model`(text: String) throws {
        #expect(try payload.map(text).isEmpty)
        #expect(try PayloadMapping { Root("jobs", Job.mapping) }.map(#"{"jobs": null}"#)[Job.self].isEmpty)
    }

    @Test func `The issues of all roots are reported together, and the session is unchanged`() throws {
        let session = MappingSession()
        expectIssues(
            """
            1:19 $.page.number: expected an integer, found an array (rule number -> Page.number)
            1:58 $.jobs[1].id: expected an integer, found a boolean (rule id -> Job.id)
            """
        ) {
            _ = try payload.map(
                #"{"page":{"number":[]},"jobs":[{"id":1,"user_id":7},{"id":true}],"linked":{"workers":{"id":7}}}"#,
                in: session)
        }
        #expect(session.all(Job.self).isEmpty && session.all(Worker.self).isEmpty && session.unresolved.isEmpty)
        let syntax = issues { _ = try payload.map(#"{"jobs": [}"#, in: session) }
        #expect(syntax == issues { _ = try Job.mapping.mapAll(#"{"jobs": [}"#, at: "jobs") })
    }

    @Test func `Mistakes of all mappings are reported together`() {
        let wrong = PayloadMapping {
            Root("a", Mapping(Box.init) { Attribute("x.@sumo", \.int) })
            Root("b", Mapping(Box.init) { Attribute("y.@maxi", \.int) })
        }
        expectIssues(
            """
            expected a collection operator, found '@sumo' in the key path 'x.@sumo' (rule x.@sumo -> Box.int); \
            did you mean '@sum'?
            expected a collection operator, found '@maxi' in the key path 'y.@maxi' (rule y.@maxi -> Box.int); \
            did you mean '@max'?
            """
        ) { try wrong.validate() }
    }

    @Test func `Roots inside each other, and two of one path, read the same values`() throws {
        let nested = PayloadMapping {
            Root("data", Page.mapping)
            Root("data.pages", Page.mapping)
            Root("data.pages", Page.mapping)
            Root("data.pages.meta", Page.mapping)
        }
        let result = try nested.map(
            #"{"data": {"number": 1, "pages": [{"number": 2}, {"number": 3, "meta": {"number": 4}}], "rest": 0}}"#)
        #expect(result["data"] as? [Page] == [Page(number: 1)])
        #expect(result["data.pages.meta"] as? [Page] == [Page(number: 4)])
        #expect(result["data.pages"]?.count == 4 && result.count == 6)
    }

    @Test(arguments: [
        #"{"first": [{"id": 7, "name": "Ann"}], "second": [{"id": 8}, {"id": 7, "name": "Bob"}]}"#,
        #"{"second": [{"id": 8}, {"id": 7, "name": "Bob"}], "first": [{"id": 7, "name": "Ann"}]}"#,
    ]) func `A session registers models in the order of the roots`(text: String) throws {
        let ordered = PayloadMapping {
            Root("first", Worker.mapping)
            Root("none", Worker.mapping)
            Root("second", Worker.mapping)
        }
        let session = MappingSession()
        let result = try ordered.map(text, in: session)
        #expect(
            session.all(Worker.self).compactMap(\.id) == [7, 8] && result[Worker.self].compactMap(\.id) == [7, 8, 7])
        #expect(session.find(Worker.self, 7)?.name == "Bob" && result.keyPaths == ["first", "second"])
    }

    @Test func `A repeated key of a root is an issue of that root`() {
        expectIssues(
            """
            1:29 $.page.number: expected an integer, found an array (rule number -> Page.number)
            1:40 $.jobs: expected a unique key 'jobs' on the path 'jobs', found a duplicate key
            """
        ) { _ = try payload.map(#"{"jobs":[],"page":{"number":[]},"jobs":[]}"#) }
    }

    @Test func `The log has the begin and end of a root before the next one`() throws {
        let events = Events()
        let options = MappingOptions(log: { events.add("\($0)".prefix { $0 != "," }) })
        _ = try payload.map(#"{"page": {}, "jobs": [{}, {}]}"#, options: options)
        #expect(
            events.all == [
                "Job: reading 30 bytes", "Job: 2 made", "Worker: reading 30 bytes", "Worker: 0 made",
                "Page: reading 30 bytes", "Page: 1 made",
            ])
    }

    @Test func `Roots are found in one search of the payload`() throws {
        let list = "[" + String(repeating: #"{"more": [1, 2, 3, "text"]},"#, count: 20_000) + "{}]"
        func time(_ count: Int) throws -> Duration {
            let many = PayloadMapping { for index in 0..<count { Root(["r\(index)"], Page.mapping) } }
            let text = #"{"other": \#(list), "r0": []}"#
            return try ContinuousClock().measure { _ = try many.map(text) }
        }
        #expect(try time(50) < time(1) * 6 + .milliseconds(200))
    }
}

/// What a log receives.
private final class Events: Sendable {
    private let events = Mutex<[String]>([])
    func add(_ event: some StringProtocol & Sendable) { events.withLock { $0.append(String(event)) } }
    var all: [String] { events.withLock { $0 } }
}
