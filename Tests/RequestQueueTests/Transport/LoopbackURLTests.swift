#if os(Linux)
    import Foundation
    import Testing

    @testable import RequestQueue

    @Suite("Loopback URLs") struct LoopbackURLTests {
        @Test(arguments: [
            ("http://localhost:8080/", true), ("http://127.0.0.1/", true), ("http://127.8.9.10/", true),
            ("http://127.1/", true), ("http://[::1]:8080/", true), ("http://127.example.com/", false),
            ("http://128.0.0.1/", false), ("http://[2001:db8::1]/", false), ("http://localhost.example.com/", false),
        ]) func `A proxy is bypassed for this machine only`(_ text: String, _ isLoopback: Bool) throws {
            #expect(try #require(URL(string: text)).isLoopback == isLoopback)
        }
    }
#endif
