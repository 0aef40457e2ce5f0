import Foundation
import ObjectMapping
import Testing

private enum Level: Int, JSONConvertible, CodingKeyRepresentable { case low = 1, high }
private enum Currency: String, JSONConvertible, CodingKeyRepresentable { case eur, usd }

private struct Model: Equatable {
    var nickname: String?? = "old"
    var depth: Int??? = nil
    var optionals: [Int?] = []
    var matrix: [[Double]] = []
    var counts: [String: Int] = [:]
    var tags: [String: [String]]? = nil
    var prices: [Currency: Decimal?] = [:]
    var byLevel: [Level: [Int: Bool]] = [:]
    var levels: Set<Level> = []

    static let mapping = Mapping(Model.init) {
        Attribute("nickname", \.nickname)
        Attribute("depth", \.depth)
        Attribute("optionals", \.optionals)
        Attribute("matrix", \.matrix)
        Attribute("counts", \.counts)
        Attribute("tags", \.tags)
        Attribute("prices", \.prices)
        Attribute("byLevel", \.byLevel)
        Attribute("levels", \.levels)
    }
}

private final class Holder {
    var nickname: String?? = "old"
    var counts: [String: Int]?
    static let mapping = Mapping(Holder.init) {
        Attribute("nickname", \.nickname)
        Attribute("counts", \.counts)
    }
}

struct ContainerTests {
    @Test func `A nested optional distinguishes absent, null and a value`() throws {
        #expect(try Model.mapping.map("{}").nickname == .some(.some("old")))
        #expect(try Model.mapping.map(#"{"nickname": null}"#).nickname == .some(nil))
        #expect(try Model.mapping.map(#"{"nickname": "new"}"#).nickname == .some(.some("new")))
        #expect(try Holder.mapping.map("{}").nickname == .some(.some("old")))
        #expect(try Holder.mapping.map(#"{"nickname": null}"#).nickname == .some(nil))
        #expect(try Holder.mapping.map(#"{"nickname": "new"}"#).nickname == .some(.some("new")))
        #expect(try Model.mapping.map(#"{"depth": null}"#).depth == .some(.some(nil)))
        #expect(try Model.mapping.map(#"{"depth": 3}"#).depth == 3)
        #expect(Optional<String?>(json: .null) == .some(.some(nil)))
        #expect(Optional<String?>.some(nil).json.isNull)
        #expect(!Optional<String?>.none.json.exists)
    }

    @Test func `Lists of optionals, lists of lists, and sets of cases are read`() throws {
        let model = try Model.mapping.map(
            #"{"optionals": [1, null, "3"], "matrix": [[1, 2.5], [], 3], "levels": [1, "2", 1]}"#)
        #expect(model.optionals == [1, nil, 3])
        #expect(model.matrix == [[1, 2.5], [], [3]])
        #expect(model.levels == [.low, .high])
    }

    @Test func `The members of an object become a dictionary`() throws {
        let model = try Model.mapping.map(
            #"{"counts": {"a\u0062": 1, "": 2, "x": "3"}, "tags": {"y": ["z"], "lone": "w"}, "prices": {"eur": 0.1, "usd": null}, "byLevel": {"2": {"-5": true}}}"#
        )
        #expect(model.counts == ["ab": 1, "": 2, "x": 3])
        #expect(model.tags == ["y": ["z"], "lone": ["w"]])
        #expect(model.prices == [.eur: Decimal(string: "0.1"), .usd: nil])
        #expect(model.byLevel == [.high: [-5: true]])
        #expect(try Holder.mapping.map(#"{"counts": {}}"#).counts == [:])
        #expect(try Holder.mapping.map(#"{"counts": null}"#).counts == nil)
        #expect(try Model.mapping.map(#"{"tags": {"a": []}}"#).tags == ["a": []])
    }

    @Test func `An invalid value in a dictionary is an issue at its position`() {
        expectIssues(
            """
            1:12 $.counts: expected an object, found an array (rule counts -> Model.counts)
            1:37 $.tags.a[1]: expected a string, found an object (rule tags -> Model.tags)
            1:54 $.prices.gbp: expected a key of type Currency, found another key (rule prices -> Model.prices)
            1:88 $.byLevel.1.1: expected a boolean, found null (rule byLevel -> Model.byLevel)
            """
        ) {
            _ = try Model.mapping.map(
                #"{"counts": [1], "tags": {"a": ["b", {}]}, "prices": {"gbp": 1}, "byLevel": {"1": {"1": null}}}"#)
        }
    }

    @Test func `A repeated key in a dictionary is a warning, and the last one is used`() throws {
        var report = MappingReport()
        let model = try Model.mapping.map(#"{"counts": {"a": 1, "b": 2, "a": 3}}"#, report: &report)
        #expect(model.counts == ["a": 3, "b": 2])
        #expect(
            report.issues.map(\.description) == [
                "1:29 $.counts.a: expected unique keys, found a duplicate key (rule counts -> Model.counts)"
            ])
    }

    @Test func `A dictionary is written in the order of its keys`() {
        #expect(["b": 1, "a": 2, "B": 3].json.text == #"{"B":3,"a":2,"b":1}"#)
        #expect([2: ["x"], 10: []].json.text == #"{"10":[],"2":["x"]}"#)
        #expect([Currency.usd: 0.5].json.text == #"{"usd":0.5}"#)
    }

    @Test(arguments: [#"{"a" 1}"#, #"{"a": 1,}"#, #"{a: 1}"#, #"{"a": }"#, #"{"a": 1"#, #"{"a": [}"#])
    func `A broken dictionary is a syntax error`(text: String) {
        #expect { _ = try Model.mapping.map("{\"counts\": \(text)}") } throws: {
            ($0 as? MappingError)?.isSyntax == true
        }
    }
}
