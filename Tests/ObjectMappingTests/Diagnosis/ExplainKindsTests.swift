import ObjectMapping
import Testing

private struct Parcel: Mappable, Equatable {
    var name = ""
    var id = 0
    var project = 0
    var place = -1
    var origin = ""
    var title = ""
    static let mapping = Mapping(Parcel.init) {
        Attribute(.key, \.name)
        Attribute("{name}.id", \.id)
        Attribute(.parent("id"), \.project)
        Attribute(.metadata("url"), \.origin)
        Attribute(.first("{name}.title", "{name}.label"), \.title)
    }
}

private struct Harbour: Mappable {
    var id = 0
    var entries: [Parcel] = []
    static let mapping = Mapping(Harbour.init) {
        Attribute("id", \.id)
        Relationship("entries", \.entries)
    }
}

private struct Spot: Mappable {
    var id = 0
    static let mapping = Mapping(Spot.init) { Attribute("id", \.id) }
}

private struct Atlas: Mappable {
    var spots: [String: Spot] = [:]
    static let mapping = Mapping(Atlas.init) { Relationship(.value, \.spots) }
}

private struct Titled: Mappable {
    var title = ""
    var second: Int?
    static let mapping = Mapping(Titled.init) {
        Attribute(.first("this or that", "t.u"), \.title)
        Attribute(.first(.parent("v"), "v"), \.second)
    }
}

struct ExplainAroundTests {
    private static let text = #"{"id": 7, "entries": {"a": {"id": 1, "label": "x", "odd": 1}, "b": {"id": "2"}}}"#

    @Test func `Outer sources are explained without a position`() {
        let options = MappingOptions(metadata: table(#"{"url": "here"}"#))
        #expect(
            Harbour.mapping.explain(Self.text, options: options).description == """
                $ Harbour (1:1)
                  id -> Harbour.id: 1:8 $.id, a number: set
                  entries -> Harbour.entries: 1:22 $.entries, an object: set, 2 objects
                    $.entries.a Parcel (1:28)
                      @key -> Parcel.name: a string: set
                      {name}.id -> Parcel.id: 1:35 $.entries.a.id, a number: set
                      @parent.id -> Parcel.project: a number: set
                      @metadata.url -> Parcel.origin: a string: set
                      {name}.title or {name}.label -> Parcel.title: a string: set
                      unread keys: odd
                    $.entries.b Parcel (1:68)
                      @key -> Parcel.name: a string: set
                      {name}.id -> Parcel.id: 1:75 $.entries.b.id, a string: set, converted to Int
                      @parent.id -> Parcel.project: a number: set
                      @metadata.url -> Parcel.origin: a string: set
                      {name}.title or {name}.label -> Parcel.title: absent: unchanged
                """)
    }

    @Test func `Objects under dynamic keys are explained one by one`() throws {
        let explanation = Parcel.mapping.explain(#"{"a": {"id": 1}, "b": {"id": 2, "x": 3}}"#)
        #expect(explanation.objects.map(\.path) == ["$.a", "$.b"])
        #expect(explanation.objects.map(\.isMade) == [true, true])
        #expect(try Parcel.mapping.unreadKeys(of: #"{"a": {"id": 1}, "b": {"id": 2, "x": 3}}"#) == ["$.b.x"])
        #expect(Parcel.mapping.explain("[5]").description == "1:2 $[0]: expected an object of objects, found a number")
        #expect(try Atlas.mapping.unreadKeys(of: #"{"x": {"id": 1, "y": 2}, "z": {"id": 2}}"#) == ["$.x.y"])
        #expect(Atlas.mapping.explain(#"{"x": {"id": 1}}"#).objects.allSatisfy { $0.unreadKeys.isEmpty })
        #expect(try Titled.mapping.unreadKeys(of: #"{"this or that": "a", "t": {"u": 1}, "v": 2, "w": 3}"#) == ["$.w"])
        #expect(try Harbour.mapping.unreadKeys(of: Self.text) == ["$.entries.a.odd"])
    }
}

private struct Letter {
    var code: UInt16 = 1
    var data: Data?
    var count = 2
    var size: UInt8 = 3
    var sizes: [UInt8] = [4]
    var parcel = Parcel()
    static let mapping = Mapping(Letter.init) {
        Attribute("code", \.code)
        Attribute("data", \.data)
        Attribute("count", \.count)
        Attribute("size", \.size)
        Attribute("sizes", \.sizes)
        Relationship("parcel", \.parcel, Mapping(Parcel.init) { Attribute("id", \.id) })
    }
}

struct ExplainLimitsTests {
    @Test func `An unchanged property is not reported as set beyond the limit of issues`() {
        let text = #"{"code": -1, "data": "SGVsbG8", "count": "x", "size": -1, "sizes": [7, -1], "parcel": 5}"#
        let options = MappingOptions(limits: MappingLimits(issueCount: 1))
        #expect(
            Letter.mapping.explain(text, options: options).description == """
                $ Letter (1:1)
                  code -> Letter.code: 1:10 $.code, a number: expected an integer from 0 to 65535, found a number out of its range
                  data -> Letter.data: 1:22 $.data, a string: expected base64 data, found a string that is not base64
                  count -> Letter.count: 1:42 $.count, a string: unchanged
                  size -> Letter.size: 1:55 $.size, a number: unchanged
                  sizes -> Letter.sizes: 1:68 $.sizes, an array: set
                  parcel -> Letter.parcel: 1:87 $.parcel, a number: unchanged: no model created
                    $.parcel Parcel (1:87): no model created
                """)
    }
}

private struct Verdict: Sendable {
    var stars = 5
    var note: String? = "-"
    static let mapping = Mapping(Verdict.init) {
        Attribute("stars", \.stars).whenNull(.keep).validate("at least 1 star") { $0 > 0 }
        Attribute("note", \.note).whenAbsent(.clear)
    }
}

struct ExplainModifiersTests {
    @Test func `Effects of modifiers are explained`() {
        #expect(
            Verdict.mapping.explain(#"[{"stars": null}, {"stars": 0, "note": "a"}]"#).description == """
                $[0] Verdict (1:2)
                  stars -> Verdict.stars: 1:12 $[0].stars, null: unchanged: null has no effect
                  note -> Verdict.note: absent: cleared
                $[1] Verdict (1:19)
                  stars -> Verdict.stars: 1:29 $[1].stars, a number: expected a value that passes validation, found an invalid one: at least 1 star
                  note -> Verdict.note: 1:40 $[1].note, a string: set
                """)
    }
}

private final class Ferry: Mappable {
    var id = 0
    var nextID: Int?
    var next: Ferry?
    static let mapping = Mapping({ Ferry() }) {
        Attribute("id", \.id)
        Attribute("next", \.nextID)
        Connection(\.next, by: \.nextID)
    }
    .identified(by: \.id)
}

struct ExplainConnectionsTests {
    @Test func `Pending connections are explained, with keys in the debug description only`() {
        let explanation = Ferry.mapping.explain(
            #"[{"id": 1, "next": "2"}, {"id": 2, "next": 77}, {"id": 3, "next": 78}]"#)
        #expect(
            explanation.description == """
                $[0] Ferry (1:2)
                  id -> Ferry.id: 1:9 $[0].id, a number: set
                  next -> Ferry.nextID: 1:20 $[0].next, a string: set, converted to Int
                $[1] Ferry (1:26)
                  id -> Ferry.id: 1:33 $[1].id, a number: set
                  next -> Ferry.nextID: 1:44 $[1].next, a number: set
                $[2] Ferry (1:49)
                  id -> Ferry.id: 1:56 $[2].id, a number: set
                  next -> Ferry.nextID: 1:67 $[2].next, a number: set
                Ferry.next waits for a Ferry in 2 objects
                """)
        #expect(explanation.details.hasSuffix("Ferry.next waits for a Ferry in 2 objects: 77; 78"))
    }
}

private final class Buoy: Mappable {
    var id = 0
    var nextID: Int?
    var next: Buoy?
    var chain: [Buoy] = []
    static let mapping = Mapping({ Buoy() }) {
        Attribute("id", \.id)
        Attribute("next", \.nextID)
        Relationship("chain", \.chain)
        Connection(\.next, by: \.nextID)
    }
    .identified(by: \.id)
}

struct ExplainKnownObjectsTests {
    @Test func `A known object is explained once, with the issues of its first reading`() {
        let text =
            #"{"id": 1, "chain": [{"id": 3, "next": 1}, {"id": 3, "next": "x", "chain": [{"id": "y"}]}, {"id": "z"}]}"#
        #expect(
            Buoy.mapping.explain(text).description == """
                $ Buoy (1:1)
                  id -> Buoy.id: 1:8 $.id, a number: set
                  next -> Buoy.nextID: absent: unchanged
                  chain -> Buoy.chain: 1:20 $.chain, an array: set, 3 objects
                    $.chain[0] Buoy (1:21)
                      id -> Buoy.id: 1:28 $.chain[0].id, a number: set
                      next -> Buoy.nextID: 1:39 $.chain[0].next, a number: set
                      chain -> Buoy.chain: absent: unchanged
                    $.chain[1] Buoy (1:43)
                      id -> Buoy.id: 1:50 $.chain[1].id, a number: set
                      next -> Buoy.nextID: 1:61 $.chain[1].next, a string: expected an integer, found a string that cannot be converted to an integer
                      chain -> Buoy.chain: 1:75 $.chain[1].chain, an array: set, 1 object
                        $.chain[1].chain[0] Buoy (1:76)
                          id -> Buoy.id: 1:83 $.chain[1].chain[0].id, a string: expected an integer, found a string that cannot be converted to an integer
                          next -> Buoy.nextID: absent: unchanged
                          chain -> Buoy.chain: absent: unchanged
                    $.chain[2] Buoy (1:91)
                      id -> Buoy.id: 1:98 $.chain[2].id, a string: expected an integer, found a string that cannot be converted to an integer
                      next -> Buoy.nextID: absent: unchanged
                      chain -> Buoy.chain: absent: unchanged
                """)
    }
}

private struct Disc: Mappable {
    var radius = 0
    static let mapping = Mapping(Disc.init) { Attribute("r", \.radius) }
}

private enum Figure: Sendable { case disc(Disc) }

struct ExplainMatchingTests {
    @Test func `The selected mapping is explained, and its discriminator counts as read`() {
        let mapping = Mapping<Figure>(matching: { Match("type", is: "disc", Disc.mapping, Figure.disc) })
        #expect(
            mapping.explain(#"[{"type": "disc", "r": 4, "x": 1}, {"type": "disk"}]"#).description == """
                $[0] Figure of Disc (1:2)
                  r -> Disc.radius: 1:24 $[0].r, a number: set
                  unread keys: x
                $[1] Figure (1:36): no model created
                  1:45 $[1].type: expected 'disc' as 'type', found another string; did you mean 'disc'?
                """)
        let wrapped = Mapping<Figure>(matching: { Match(wrappedIn: "disc", Disc.mapping, Figure.disc) })
        #expect(
            wrapped.explain(#"{"disc": {"r": "4"}}"#).description == """
                $.disc Figure of Disc (1:10)
                  r -> Disc.radius: 1:16 $.disc.r, a string: set, converted to Int
                """)
    }
}
