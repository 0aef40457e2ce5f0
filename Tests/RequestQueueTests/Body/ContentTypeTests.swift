import Testing

@testable import RequestQueue

@Suite("Content types")
struct ContentTypeTests {
    @Test(arguments: [
        "image/png", "application/vnd.api+json", "text/plain; charset=utf-8", "text/plain;charset=utf-8",
        #"text/plain ; charset="utf-8"; format=flowed"#, #"a/b;c="""#, #"a/b; c="d;e f""#,
    ]) func `A type, a subtype and parameters are one`(_ text: String) {
        #expect(MediaType.isValid(text))
    }

    @Test(arguments: [
        "", "png", "image/", "/png", "image/png/x", "image/p ng", " image/png", "image/png ", "image/png,a/b",
        "image/pngé", "image/png\r\nX: 1", "a/b;", "a/b; ", "a/b; c", "a/b; c=", "a/b; =d", "a/b c=d", "a/b;; c=d",
        #"a/b; c=""#, #"a/b; c="d"e"#, #"a/b; c="\"""#, "a/b; c=d; C=e", "a/b; c=\"\u{7f}\"", "a/b; c=d,e",
    ]) func `A value that servers could interpret differently is invalid`(_ text: String) {
        #expect(!MediaType.isValid(text))
    }
}
