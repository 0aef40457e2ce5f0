import RequestQueue
import Testing

@Suite("Header fields")
struct HTTPHeadersTests {
    @Test func `Names are compared case-insensitively`() {
        var headers: HTTPHeaders = ["Content-Type": "text/plain"]
        headers["content-TYPE"] = "text/html"
        #expect(headers.fields == [.init(name: "Content-Type", value: "text/html")])
        #expect(headers["@ontent-Type"] == nil)
    }

    @Test func `Several fields of a name are one value, joined by commas`() {
        var headers = HTTPHeaders()
        headers.add("a", for: "Accept")
        headers.add("1", for: "X")
        headers.add("b", for: "accept")
        #expect(headers["Accept"] == "a, b")
        #expect(headers.values(for: "ACCEPT") == ["a", "b"])
        headers["accept"] = "c"
        #expect(headers.fields.map(\.value) == ["c", "1"])
        headers["x"] = nil
        #expect(headers.fields.map(\.name) == ["Accept"])
    }
}
