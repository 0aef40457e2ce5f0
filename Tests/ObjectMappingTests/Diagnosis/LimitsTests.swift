import ObjectMapping
import Testing

struct LimitsTests {
    private static func options(_ limits: MappingLimits) -> MappingOptions { MappingOptions(limits: limits) }

    @Test func `Defaults are as documented, and the depth is limited by the stack`() {
        var limits = MappingLimits()
        #expect(limits.depth == 512 && limits.byteCount == 1 << 30 && limits.elementCount == 10_000_000)
        #expect(limits.elementByteCount == 512 << 20 && limits.issueCount == 10_000)
        limits.depth = 1_000_000
        limits.issueCount = -5
        #expect(limits == MappingLimits(depth: 9999, issueCount: 0))
        #expect(limits.depth == 1024 && limits.issueCount == 1)
    }

    @Test func `The largest numbers mean no limit`() throws {
        let limits = MappingLimits(
            depth: .max, byteCount: .max, elementCount: .max, elementByteCount: .max, issueCount: .max)
        var report = MappingReport(policy: .skipElement)
        let text = #"[{"id": 1}, {"id": []}]"#
        let payments = try Payment.mapping.mapAll(text, options: Self.options(limits), report: &report)
        #expect(payments.map(\.id) == [1] && report.issues.count == 1)
        let stream = Payment.mapping.elements(of: [UInt8](text.utf8), options: Self.options(limits)) { _ in }
        #expect(try stream.next()?.id == 1)
        #expect(try stream.next() == nil)
    }

    @Test(arguments: [(1, "1:2 $[0]: "), (2, "1:14 $[0].unknown: "), (600, "1:612 $[0].unknown[0]")])
    func `Elements that nest deeper than the limit are reported`(depth: Int, place: String) {
        let options = Self.options(MappingLimits(depth: depth))
        let text = #"[{"unknown": "# + String(repeating: "[", count: 700)
        let found = issues { _ = try Payment.mapping.mapAll(text, options: options) }
        #expect(found.hasPrefix(place))
        #expect(
            found.hasSuffix("expected at most \(depth) levels of nesting, found nesting deeper than \(depth) levels"))
        #expect(Payment.mapping.explain(text, options: options).issues.map(\.description) == [found])
    }

    @Test func `A payload of too many bytes is not read`() throws {
        let limits = MappingLimits(byteCount: 10)
        let expected = "1:1 $: expected a payload of at most 10 bytes, found a payload of 11 bytes"
        expectIssues(expected) { _ = try Payment.mapping.map(#"{"id": 123}"#, options: Self.options(limits)) }
        expectIssues(expected) { _ = try Payment.mapping.mapAll(#"{"id": 123}"#, options: Self.options(limits)) }
        #expect(try Payment.mapping.map(#"{"id": 12}"#, options: Self.options(limits)).id == 12)
    }

    @Test func `An element that nests too deeply is reported with its position`() throws {
        let options = Self.options(MappingLimits(depth: 3))
        let text = #"[{"x": [[1]]}]"#
        let expected = "1:9 $[0].x[0]: expected at most 3 levels of nesting, found nesting deeper than 3 levels"
        expectIssues(expected) { _ = try Payment.mapping.mapAll(text, options: options) }
        expectIssues("1:7 $.a: expected at most 1 levels of nesting, found nesting deeper than 1 levels") {
            _ = try Payment.mapping.mapAll(#"{"a": [{}]}"#, at: "a", options: Self.options(MappingLimits(depth: 1)))
        }
        #expect(Payment.mapping.explain(text, options: options).description.hasPrefix(expected))
    }

    @Test(arguments: [MappingReport.Policy.fail, .skipElement, .collect])
    func `More elements than the limit end the decode`(policy: MappingReport.Policy) throws {
        var report = MappingReport(policy: policy)
        let options = Self.options(MappingLimits(elementCount: 2))
        #expect(try Payment.mapping.mapAll("[{}, null, {}]", options: options, report: &report).count == 2)
        expectIssues("1:10 $[2]: expected at most 2 elements, found more") {
            _ = try Payment.mapping.mapAll("[{}, {}, {}]", options: options, report: &report)
        }
    }

    @Test func `An element of too many bytes is an issue of the element`() throws {
        let options = Self.options(MappingLimits(elementByteCount: 9))
        let text = #"[{"id": 1}, {"id": 22}, {"id": 3}]"#
        let expected = "1:13 $[1]: expected an element of at most 9 bytes, found an element of 10 bytes"
        expectIssues(expected) { _ = try Payment.mapping.mapAll(text, options: options) }
        var report = MappingReport(policy: .skipElement)
        #expect(try Payment.mapping.mapAll(text, options: options, report: &report).map(\.id) == [1, 3])
        #expect(report.rejected.map(\.issues).map { $0.map(\.description) } == [[expected]])
    }

    @Test func `Issues are reported up to the limit, with the number of others`() throws {
        let options = Self.options(MappingLimits(issueCount: 2))
        let text = "[" + String(repeating: #"{"id": [], "amount": []},"#, count: 3) + "null]"
        expectIssues(
            """
            1:9 $[0].id: expected an integer, found an array (rule id -> Payment.id)
            1:23 $[0].amount: expected a number, found an array (rule amount -> Payment.amount)
            1:34 $[1].id: expected at most 2 issues in one payload, found 4 more
            """
        ) { _ = try Payment.mapping.mapAll(text, options: options) }
        var report = MappingReport(policy: .collect)
        #expect(try Payment.mapping.mapAll(text, options: options, report: &report).count == 3)
        #expect(report.issues.map(\.kind) == [.typeMismatch, .typeMismatch, .limit])
        #expect(report.issues.last?.description == "1:1 $: expected at most 2 issues in one payload, found 4 more")
        let one = Mapping(Box.init) { Attribute("ints", \.ints) }
        var skipping = MappingReport(policy: .skipElement)
        _ = try one.mapAll(#"[{"ints": [true, true, true, true]}]"#, options: options, report: &skipping)
        #expect(
            skipping.rejected.first?.issues.last?.description
                == "1:24 $[0].ints[2]: expected at most 2 issues in one element, found 2 more")
    }

    @Test func `Memory for issues does not grow with their number`() throws {
        let count = 300_000
        let mapping = Mapping(Box.init) { Attribute("ints", \.ints) }
        let text = #"{"ints": [\#(String(repeating: "\"x\",", count: count))0]}"#
        let error = #expect(throws: MappingError.self) {
            try mapping.map(text, options: Self.options(MappingLimits(issueCount: 10)))
        }
        #expect(error?.issues.count == 11)
        #expect(error?.issues.last?.found == "\(count - 10) more")
    }

    @Test func `Warnings beyond the limit are not an error`() throws {
        let text = "{" + String(repeating: #""id": 1, "#, count: 9) + #""id": 2}"#
        var report = MappingReport()
        let options = Self.options(MappingLimits(issueCount: 3))
        #expect(try Payment.mapping.map(text, options: options, report: &report).id == 2)
        #expect(report.issues.count == 4 && report.warnings.count == 4)
        #expect(report.issues.last?.message == "expected at most 3 issues in one payload, found 6 more")
    }
}
