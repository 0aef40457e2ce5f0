import ObjectMapping
import Testing

private final class Parcel: Mappable {
    var id = 0
    var version: Int?
    var weight = 0.0
    var senderID: Int?
    var sender: Parcel?
    var inner: Parcel?
    var parts: [Parcel] = []
    var counts: [String: Int] = [:]
    var labels: [Label] = []

    static let mapping: Mapping<Parcel> = Mapping({ Parcel() }) {
        Attribute("id", \.id)
        Attribute("version", \.version)
        Attribute("weight", \.weight)
        Attribute("sender", \.senderID)
        Attribute("counts", \.counts)
        Relationship("inner", \.inner)
        Relationship("parts", \.parts)
        Relationship("labels", \.labels)
        Connection(\.sender, by: \.senderID)
    }
    .identified(by: \.id)
    .modified(by: \.version)

    var text: String {
        let parts = [inner].compactMap(\.self) + parts
        let counts = counts.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: ",")
        return
            "\(id) v\(version ?? 0) \(weight) from \(sender?.id ?? 0) [\(counts)] (\(parts.map(\.text).joined(separator: " "))) \(labels.map { "\($0.row)\($0.number)" })"
    }
}

/// A class whose identity has two parts, one of them in an inner object.
private final class Label: Mappable {
    var row = ""
    var number = 0

    static let mapping = Mapping({ Label() }) {
        Attribute("at.row", \.row)
        Attribute("number", \.number)
    }
    .identified(by: \.row).identified(by: \.number)
}

/// Texts with duplicate keys have the results of their trees, in which the last value has replaced the others.
struct DuplicateIdentityTests {
    /// The model, its session and the warnings, or the issues; without positions.
    private static func result(
        _ session: MappingSession?, _ read: (inout MappingReport) throws -> [Parcel]
    ) -> String {
        var report = MappingReport()
        do {
            let texts = try read(&report).map(\.text)
            let known = session.map { session in
                session.all(Parcel.self).map { "\($0.id)" }.sorted()
                    + session.all(Label.self).map { "\($0.row)\($0.number)" }.sorted()
            }
            return "\(texts) \(known ?? [])"
        } catch let error as MappingError {
            return "\(error.issues.filter { $0.kind != .duplicateKey }.map { "\($0.expected), \($0.found)" })"
        } catch {
            return "\(error)"
        }
    }

    @Test(arguments: [
        (#"{"id": "x", "id": 1}"#, "1 v0"),
        (#"{"id": 1, "id": "x"}"#, "expected an integer"),
        (#"{"id": 1, "weight": 2, "id": 3}"#, "3 v0 2.0"),
        (#"{"id": null, "id": 3}"#, "3 v0"),
        (#"{"id": 3, "id": null}"#, "0 v0"),
        (#"{"i\u0064": [], "id": 3}"#, "3 v0"),
        (#"{"id": 1, "weight": "x", "weight": 2}"#, "1 v0 2.0"),
        (#"{"id": 1, "counts": {"a": "x", "a": 2, "b": 3}}"#, "[a=2,b=3]"),
        (#"{"id": 1, "counts": {"a": "x"}, "counts": {"b": 3}}"#, "[b=3]"),
        (
            #"{"id": 1, "parts": [{"id": 2, "version": 5}, {"id": 2, "version": 2, "version": 7, "weight": 2}]}"#,
            "2 v7 2.0"
        ),
        (
            #"{"id": 1, "parts": [{"id": 2, "version": 5}, {"id": 2, "version": 7, "version": 2, "weight": 2}]}"#,
            "2 v5 0.0"
        ),
        (#"{"id": 1, "inner": {"id": "x", "id": 2}}"#, "(2 v0"),
        (#"{"id": 1, "inner": {"id": 7}, "inner": {"id": 2}}"#, "(2 v0"),
        (#"{"id": 1, "parts": [{"id": 7}, {"id": 8, "id": 9}], "parts": [{"id": 5, "id": 2}]}"#, "(2 v0"),
        (#"{"id": 1, "parts": [{"id": "x"}], "parts": []}"#, "1 v0"),
        (#"{"id": 1, "labels": [{"at": {"row": []}, "at": {"row": "A"}, "number": "x", "number": 2}]}"#, "A2"),
        (#"{"id": 1, "labels": [{"at": {"row": "B", "row": "A"}, "number": 2}]}"#, "A2"),
        (#"{"id": 1, "labels": [{"at": {"row": "B"}, "number": 3, "at": {"row": "A"}, "number": 2}]}"#, "A2"),
        (#"{"id": 1, "sender": "x", "sender": 1}"#, "from 1"),
        (#"{"id": 1, "sender": 9, "sender": 1}"#, "from 1"),
        (#"{"id": 1, "sender": 1, "sender": null}"#, "from 0"),
    ]) func `A text with duplicate keys has the result of its tree`(text: String, part: String) throws {
        let tree = try JSON(text)
        let expected = Self.result(nil) { try [Parcel.mapping.map(tree, report: &$0)] }
        #expect(Self.result(nil) { try [Parcel.mapping.map(text, report: &$0)] } == expected)
        let session = MappingSession()
        let known = Self.result(session) { try [Parcel.mapping.map(tree, in: session, report: &$0)] }
        #expect(part.hasPrefix("expected") || known.contains(part), "\(known)")
        for padding in ["", String(repeating: " ", count: 600)] {
            let session = MappingSession()
            #expect(
                Self.result(session) { try [Parcel.mapping.map(text + padding, in: session, report: &$0)] } == known)
            let other = MappingSession()
            #expect(
                Self.result(other) { try Parcel.mapping.mapAll("[\(text)]\(padding)", in: other, report: &$0) } == known
            )
        }
        let streamed = Self.result(nil) { _ in
            let elements = Parcel.mapping.elements(of: Array("[\(text)]".utf8))
            return try elements.next().map { [$0] } ?? []
        }
        #expect(streamed == expected)
    }

    @Test func `Warnings name the duplicate keys, and valid elements around are kept`() throws {
        var report = MappingReport(policy: .skipElement)
        let session = MappingSession()
        let text = #"[{"id": 1}, {"id": "x", "weight": 1, "id": 2}, {"id": 3, "id": "x"}, {"id": 4}]"#
        let parcels = try Parcel.mapping.mapAll(text, in: session, report: &report)
        #expect(parcels.map(\.id) == [1, 2, 4] && session.all(Parcel.self).map(\.id) == [1, 2, 4])
        #expect(report.warnings.map(\.path) == ["$[1].id", "$[2].id"])
        #expect(report.rejected.map { String(decoding: $0.json, as: UTF8.self) } == [#"{"id": 3, "id": "x"}"#])
        #expect(report.rejected.first?.issues.last?.column == 64)
    }

    @Test func `An update uses the last value of a duplicate key`() throws {
        let session = MappingSession()
        let parcel = try Parcel.mapping.map(#"{"id": 1, "weight": 1}"#, in: session)
        try Parcel.mapping.update(
            parcel, from: #"{"weight": "x", "weight": 2, "inner": {"id": 7}, "inner": {"id": 8}}"#, in: session)
        #expect(parcel.weight == 2 && parcel.inner?.id == 8 && session.all(Parcel.self).map(\.id) == [1, 8])
    }
}
