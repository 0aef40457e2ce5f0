import ObjectMapping
import Testing

struct ObjectKeyTests {
    private enum Suit: String { case hearts, spades }
    private enum Plain { case one, two }

    @Test func `Keys of the same value are equal, for any integer type`() {
        let keys: [ObjectKey?] = [
            ObjectKey(7), ObjectKey(Int8(7)), ObjectKey(UInt16(7)), ObjectKey(Int64(7)), ObjectKey(UInt64(7)),
            ObjectKey(Int?(7)), ObjectKey(Int??(7)),
        ]
        #expect(Set(keys) == [.integer(7)])
        #expect(ObjectKey(UInt64.max) == .unsigned(.max) && ObjectKey(UInt(bitPattern: -1)) == .unsigned(.max))
        #expect(ObjectKey("7") != ObjectKey(7) && ObjectKey(7.0) != ObjectKey(7))
    }

    @Test func `Nil is not a key`() {
        #expect(ObjectKey(Int?.none) == nil && ObjectKey(Int??.some(.none)) == nil && ObjectKey(String?.none) == nil)
        #expect(ObjectKey(parts: []) == nil)
    }

    @Test func `Strings are compared by their bytes`() {
        #expect(ObjectKey("\u{E9}") != ObjectKey("e\u{301}"))
        #expect(ObjectKey("\u{E9}") == .string("\u{E9}") && ObjectKey(Optional("a")) == .string("a"))
        #expect(Set([ObjectKey("\u{E9}"), ObjectKey("e\u{301}"), ObjectKey("\u{E9}")]).count == 2)
    }

    @Test func `Values with a raw value are keys by their raw value`() {
        #expect(ObjectKey(Suit.hearts) == .string("hearts") && ObjectKey(Suit?(.spades)) == .string("spades"))
        #expect(ObjectKey(Plain.one) == ObjectKey(Plain.one) && ObjectKey(Plain.one) != ObjectKey(Plain.two))
        #expect(ObjectKey(true) == ObjectKey(Bool?(true)) && ObjectKey(true) != ObjectKey(1))
        let (id, date) = (UUID(), Date())
        #expect(ObjectKey(id) == .uuid(id) && ObjectKey(date) == .date(date))
    }

    @Test func `Several parts are one key, in their order`() {
        let key = ObjectKey(parts: [.string("A"), .integer(1)])
        #expect(key == .compound([.string("A"), .integer(1)]) && key != ObjectKey(parts: [.integer(1), .string("A")]))
        #expect(ObjectKey(parts: [.integer(1)]) == .integer(1) && key?.parts.count == 2)
    }
}
