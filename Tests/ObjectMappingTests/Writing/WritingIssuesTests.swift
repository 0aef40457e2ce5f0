import Foundation
import ObjectMapping
import Testing

struct WritingIssuesTests {
    private final class Crate {
        var label = ""
        var size = 0
        var count: Int {
            get { size }
            set { size = newValue }
        }
        var json: JSON?
        var box = Box()
    }

    @Test func `One key as a value and as an object cannot be written`() throws {
        expectIssues(
            """
            expected one written form of the key 'x' (`.readOnly` excludes a rule from writing), found a value, and an object by the rule x.y -> Crate.label (rule x -> Crate.size)
            expected one written form of the key 'b' (`.readOnly` excludes a rule from writing), found a value, and an object by the rule a.b.c.d -> Crate.box (rule a.b -> a computed or observed property of Crate)
            """
        ) {
            try Mapping({ Crate() }) {
                Attribute("x", \.size)
                Attribute("x.y", \.label)
                Relationship("a.b.c.d", \.box, Mapping(Box.init) { Attribute("text", \.text) })
                Attribute("a.b", \.count)
            }.validate()
        }
    }

    @Test func `Objects that several rules write, and read-only rules, are valid`() throws {
        try Mapping({ Crate() }) {
            Attribute("x", \.size).readOnly
            Attribute("x.y", \.label)
            Attribute("j", \.json)
            Attribute("j.@count", \.count)
            Relationship("box", \.box, Mapping(Box.init) { Attribute("text", \.text) })
            Attribute("box.int", \.count)
        }.validate()
    }

    @Test func `Numbers without a JSON form are issues with path and rule, reported together`() {
        struct Numbers: Mappable {
            var double = Double.nan
            var maybe: Double? = -.infinity
            var float = Float.infinity
            var list: [Double] = [1, .nan, 2]
            var grid: [[Double?]] = [[nil], [1, .infinity]]
            var decimal = Decimal.nan
            var date = Date(timeIntervalSince1970: .infinity)
            var inner: [Numbers] = []
            static let mapping = Mapping({ Numbers() }) {
                Attribute("double", \.double)
                Attribute("a.maybe", \.maybe)
                Attribute("float", \.float)
                Attribute("list", \.list)
                Attribute("grid", \.grid)
                Attribute("decimal", \.decimal)
                Attribute("date", \.date)
                Relationship("inner", \.inner)
            }
        }
        var numbers = Numbers()
        numbers.inner = [Numbers()]
        numbers.inner[0].list = []
        expectIssues(
            """
            $.r.double: expected a finite number, found NaN (rule double -> Numbers.double)
            $.r.a.maybe: expected a finite number, found infinity (rule a.maybe -> Numbers.maybe)
            $.r.float: expected a finite number, found infinity (rule float -> Numbers.float)
            $.r.list[1]: expected a finite number, found NaN (rule list -> Numbers.list)
            $.r.grid[1][1]: expected a finite number, found infinity (rule grid -> Numbers.grid)
            $.r.decimal: expected a finite number, found NaN (rule decimal -> Numbers.decimal)
            $.r.date: expected a finite number, found infinity (rule date -> Numbers.date)
            $.r.inner[0].double: expected a finite number, found NaN (rule double -> Numbers.double)
            $.r.inner[0].a.maybe: expected a finite number, found infinity (rule a.maybe -> Numbers.maybe)
            $.r.inner[0].float: expected a finite number, found infinity (rule float -> Numbers.float)
            $.r.inner[0].grid[1][1]: expected a finite number, found infinity (rule grid -> Numbers.grid)
            $.r.inner[0].decimal: expected a finite number, found NaN (rule decimal -> Numbers.decimal)
            $.r.inner[0].date: expected a finite number, found infinity (rule date -> Numbers.date)
            """
        ) { _ = try Numbers.mapping.serialize(numbers, rootKey: "r") }
        do throws(MappingError) {
            _ = try Numbers.mapping.json(of: Numbers())
        } catch {
            #expect(error.issues.first?.kind == .outOfRange)
            #expect(error.issues.first?.line == 0)
        }
    }

    @Test func `Objects in a cycle are an issue, not a crash`() {
        let ring = WrittenRing()
        ring.next = WrittenRing(next: ring, others: [ring, ring])
        ring.others = [ring, ring]
        expectIssues(
            """
            $.next.next: expected an object that does not contain itself (`.readOnly` excludes a relationship from \
            writing), found the object at $ (rule next -> WrittenRing.next)
            """
        ) { _ = try WrittenRing.mapping.serialize(ring) }
        expectIssues(
            """
            $.a[1].next.others[1].others[0]: expected an object that does not contain itself (`.readOnly` excludes a \
            relationship from writing), found the object at $.a[1].next.others[1] (rule others -> WrittenRing.others)
            """
        ) {
            let inner = WrittenRing()
            inner.others = [inner]
            let outer = WrittenRing(next: WrittenRing(others: [WrittenRing(), inner]))
            _ = try WrittenRing.mapping.serialize([WrittenRing(), outer], rootKey: "a")
        }
        expectIssues(
            """
            $.next.next: expected at most 2 levels of objects, found more levels, possibly a reference \
            cycle (rule next -> WrittenRing.next)
            """
        ) {
            let chain = WrittenRing(next: WrittenRing(next: WrittenRing()))
            _ = try WrittenRing.mapping.serialize(chain, options: WritingOptions(limits: MappingLimits(depth: 2)))
        }
    }

    @Test func `Created objects nest up to the limit of the text`() throws {
        func chain(_ count: Int) -> WrittenRing {
            (1..<count).reduce(WrittenRing()) { ring, _ in WrittenRing(next: ring) }
        }
        #expect(throws: MappingError.self) { try WrittenRing.mapping.serialize(chain(513)) }
        // The innermost object holds an empty array.
        let bytes = try WrittenRing.mapping.serialize(chain(511))
        #expect(try text(WrittenRing.mapping.map(bytes), WrittenRing.mapping) == String(decoding: bytes, as: UTF8.self))
    }

    @Test func `The depth of trees is limited like that of objects`() throws {
        let deep = (0..<600).reduce(JSON.null) { json, _ in [json] }
        expectIssues(
            """
            $.v: expected at most 512 levels of objects, found more levels, possibly a reference cycle \
            (rule v -> Holder<JSON>.value)
            """
        ) { _ = try written(deep) }
        #expect(deep.text.count == 1204)
    }

    @Test func `A mapping that cannot write is a mistake`() {
        struct Made: Mappable {
            init(_: WrittenFriend) {}
            static let mapping = Mapping(Made.init, from: WrittenFriend.mapping)
        }
        struct Holder {
            var made: Made?
        }
        let mistake = """
            expected a closure that returns the values of Made, or rules that are read-only, \
            found a mapping that only creates its models
            """
        expectIssues(mistake) { _ = try Made.mapping.serialize(Made(WrittenFriend())) }
        expectIssues(mistake) {
            _ = try Mapping(Holder.init) { Relationship("made", \.made) }.serialize(Holder())
        }
    }

    @Test func `Mistakes in key paths are the same as for reading`() {
        let mapping = Mapping(WrittenFriend.init) {
            Attribute("a..b", \.id)
            Attribute("x.@avgg", \.id)
        }
        expectIssues(
            """
            expected a key, found an empty component in the key path 'a..b' (rule a..b -> WrittenFriend.id)
            expected a collection operator, found '@avgg' in the key path 'x.@avgg' (rule x.@avgg -> WrittenFriend.id)
            """
        ) { _ = try mapping.serialize(WrittenFriend()) }
        for key in ["a..b", "@count", "a.@max"] {
            expectIssues("expected plain keys as the root key, found the key path '\(key)'") {
                _ = try WrittenFriend.mapping.serialize(WrittenFriend(), rootKey: JSONKeyPath(key))
            }
        }
    }

    @Test func `A mapping that contains itself is an issue`() {
        enum Endless {
            static let mapping: Mapping<WrittenFriend> = Mapping({ $0 }, from: Endless.mapping, values: { $0 })
            static func anew() -> Mapping<WrittenRing> {
                Mapping({ WrittenRing() }) { Relationship("next", \.next, anew()) }
            }
        }
        let mistake = """
            expected mappings without infinite recursion, found a mapping that contains itself; \
            store mappings in a `static let`
            """
        expectIssues(mistake) { _ = try Endless.mapping.serialize(WrittenFriend()) }
        expectIssues(mistake) { _ = try Endless.anew().serialize(WrittenRing()) }
    }

    @Test func `No more than a thousand issues are kept`() {
        struct Numbers {
            var list = Array(repeating: Double.nan, count: 5000)
        }
        do throws(MappingError) {
            _ = try Mapping(Numbers.init) { Attribute("list", \.list) }.serialize(Numbers())
        } catch {
            #expect(error.issues.count == 1000)
        }
    }
}
