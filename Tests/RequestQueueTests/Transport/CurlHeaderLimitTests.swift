#if os(Linux)
    import Foundation
    import RequestQueue
    import Testing

    /// The limit of a request for header fields, and those of libcurl.
    @Suite("Curl transport and large headers", .timeLimit(.minutes(2)))
    struct CurlHeaderLimitTests {
        @Test(arguments: [100 << 10, 1500 << 10]) func `A header as large as the limit allows is read`(size: Int)
            async throws
        {
            let server = try ScriptedServer { connection in
                _ = connection.readHead()
                connection.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n")
                for line in 0..<size / 1000 {
                    connection.write("X-\(line): \(String(repeating: "y", count: 990))\r\n")
                }
                connection.write("\r\n{}")
                connection.waitForEnd()
            }
            var request = RESTRequest(url: server.url(), transport: CurlTransport())
            request.limits.headers = 4 << 20
            let sent = request
            do throws(RequestError) {
                let response = try await sent.send()
                #expect(response.text == "{}" && response.headers.fields.count == size / 1000 + 1)
            } catch {
                // libcurl itself has had a limit since 8.3: 300 KiB.
                #expect(size > 300 << 10 && error.kind == .responseTooLarge)
                #expect(error.cause.contains("exceeds libcurl's limit"))
            }
        }

        @Test(arguments: [(1, 90_000, true), (1, 110_000, false), (2, 99_000, true), (310, 1000, false)])
        func `A header beyond libcurl's limits is an error that names them`(
            count: Int, size: Int, mayBeRead: Bool
        ) async throws {
            let server = try ScriptedServer { connection in
                _ = connection.readHead()
                connection.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n")
                for line in 0..<count {
                    connection.write("X-\(line): \(String(repeating: "y", count: size))\r\n")
                }
                connection.write("\r\n{}")
                connection.waitForEnd()
            }
            var request = RESTRequest(url: server.url(), transport: CurlTransport())
            request.limits.headers = 4 << 20
            let sent = request
            do throws(RequestError) {
                #expect(try await sent.send().text == "{}")
                // Versions before 8.3 limit only lines.
                #expect(mayBeRead || size < 100 << 10)
            } catch {
                #expect(!mayBeRead && error.kind == .responseTooLarge)
                #expect(
                    error.cause.hasPrefix(
                        "the head of the response exceeds libcurl's limits, 100 KiB for a line and 300 KiB for all lines, "
                            + "which ResponseLimits.headers cannot raise (libcurl "), "\(error)")
            }
        }
    }
#endif
