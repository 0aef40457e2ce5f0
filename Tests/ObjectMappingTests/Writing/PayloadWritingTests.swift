import ObjectMapping
import Testing

struct PayloadWritingTests {
    private static let user = WrittenFriend(id: 7, name: "Ada")
    private let ring = WrittenRing("r")
    private static let payload = PayloadMapping {
        Root("user", WrittenFriend.mapping)
        Root("data.rings", WrittenRing.mapping)
        Root("data.users", WrittenFriend.mapping)
    }

    @Test func `Models are written under the roots of their types`() throws {
        #expect(
            try Self.payload.json(of: ring, Self.user, adding: ["token": .string("t"), "data": ["x": 1]]).text
                == #"{"token":"t","data":{"x":1,"rings":{"name":"r","others":[]}},"user":{"id":7,"name":"Ada"}}"#)
        let bytes = try Self.payload.serialize(Self.user, adding: ["token": .string("t")])
        #expect(String(decoding: bytes, as: UTF8.self) == #"{"token":"t","user":{"id":7,"name":"Ada"}}"#)
        #expect(try Self.payload.map(bytes)[WrittenFriend.self].map(\.id) == [7])
    }

    @Test func `An array stays an array, and several models of a root become one`() throws {
        let friend = WrittenFriend(id: 8)
        #expect(try Self.payload.json(of: [friend]).text == #"{"user":[{"id":8}]}"#)
        #expect(try Self.payload.json(of: [] as [WrittenRing]).text == #"{"data":{"rings":[]}}"#)
        #expect(
            try Self.payload.json(of: Self.user, [friend]).text == #"{"user":[{"id":7,"name":"Ada"},{"id":8}]}"#)
        #expect(try Self.payload.json().text == "{}")
    }

    @Test func `A root without a key path is the whole text`() throws {
        let payload = PayloadMapping {
            Root("", WrittenFriend.mapping)
            Root("rings", WrittenRing.mapping)
        }
        #expect(try payload.json(of: Self.user).text == #"{"id":7,"name":"Ada"}"#)
        #expect(try payload.json(of: [Self.user]).text == #"[{"id":7,"name":"Ada"}]"#)
        let issue =
            "expected a key path for the root of WrittenFriend, because there are other members, found an empty key path"
        expectIssues(issue) { _ = try payload.json(of: Self.user, ring) }
        expectIssues(issue) { _ = try payload.json(of: Self.user, adding: ["token": 1]) }
    }

    @Test func `Errors name the value that cannot be written`() {
        expectIssues(
            "expected a value of one of the types WrittenFriend, WrittenRing, WrittenFriend, found a value of the type Int"
        ) {
            _ = try Self.payload.json(of: 5)
        }
        expectIssues("expected one value for the key path 'user', found two values") {
            _ = try Self.payload.json(of: Self.user, adding: ["user": 1])
        }
        expectIssues("expected one value for the key path 'user', found two values") {
            _ = try Self.payload.json(of: Self.user, adding: ["user": ["id": 1]])
        }
        expectIssues("expected an object of further members, found an array") {
            _ = try Self.payload.json(of: Self.user, adding: [1])
        }
    }
}
