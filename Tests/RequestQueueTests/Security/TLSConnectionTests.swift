#if os(Linux)
    import Foundation
    import MappingTestSupport
    import RequestQueue
    import TestSupport
    import Testing

    @Suite(
        "TLS over several connections",
        .enabled(if: TestCertificates.shared != nil, "openssl is not installed"), .timeLimit(.minutes(5)))
    struct TLSConnectionTests {
        private func trusting() throws -> (certificates: TestCertificates, tls: TLSOptions) {
            let certificates = try #require(TestCertificates.shared)
            return (certificates, try certificates.trusting())
        }

        /// Sends to a server that redirects to a URL.
        private func send(
            to target: String, from server: TLSServer, _ certificates: TestCertificates, _ tls: TLSOptions
        ) async throws -> String {
            let name = "moved-" + UUID().uuidString
            try certificates.folder.write(
                "HTTP/1.1 307 X\r\nLocation: \(target)\r\nContent-Length: 0\r\nConnection: close\r\n\r\n", to: name)
            let client = RESTClient(baseURL: try server.url(), transport: CurlTransport())
            client.tls = tls
            client.redirectPolicy = RedirectPolicy { _ in .follow() }
            do throws(RequestError) { return try await client.get(name).text ?? "" } catch { return "\(error)" }
        }

        @Test func `A pin applies after a redirect`() async throws {
            var (certificates, tls) = try trusting()
            let first = try await TLSServer("good", in: certificates)
            let second = try await TLSServer("beneath", in: certificates)
            let third = try await TLSServer("good", in: certificates)
            tls.authorities = .insecurelyAcceptingAnyCertificate
            tls.pinnedPublicKeys = [try certificates.certificate("good").publicKeyPin]
            #expect(
                try await send(to: "https://localhost:\(second.port)/ok", from: first, certificates, tls)
                    == "GET https://localhost:\(second.port)/ok: public key pin mismatch while connecting: it is not the pinned key (libcurl 90)"
            )
            #expect(try await send(to: "https://localhost:\(third.port)/ok", from: first, certificates, tls) == "ok")
            let plain = try await send(to: "http://localhost:\(third.port)/ok", from: first, certificates, tls)
            #expect(
                plain.hasSuffix(
                    ": public key pin mismatch while receiving (0 bytes sent, 0 received): TLSOptions.pinnedPublicKeys requires an https URL"
                ), "\(plain)")
        }

        @Test func `A request of http is not sent to a pinned host`() async throws {
            var (certificates, tls) = try trusting()
            tls.pinnedPublicKeys = [try certificates.certificate("good").publicKeyPin]
            let client = RESTClient(baseURL: try #require(URL(string: "http://localhost:9")))
            client.tls = tls
            await #expect {
                _ = try await client.get("/")
            } throws: { error in
                "\(error)"
                    == "GET http://localhost:9/: public key pin mismatch: TLSOptions.pinnedPublicKeys requires an https URL"
            }
        }

        @Test func `A client certificate is not sent to another origin`() async throws {
            var (certificates, tls) = try trusting()
            let first = try await TLSServer("good", TLSTests.withClient, in: certificates)
            let second = try await TLSServer("good", TLSTests.withClient, in: certificates)
            tls.clientCertificate = try certificates.client("client")
            #expect(try await send(to: "/ok", from: first, certificates, tls) == "ok")
            #expect(
                try await send(to: "https://localhost:\(second.port)/ok", from: first, certificates, tls)
                    .contains("the server rejected the client certificate while waiting"))
        }

        /// A server between a client and one that requires a client certificate: it resets each refused connection.
        private func resettingServer(_ certificates: TestCertificates, whenReset: @escaping @Sendable () -> Void)
            async throws -> (server: ScriptedServer, url: URL)
        {
            let server = try await TLSServer("good", TLSTests.withClient, in: certificates)
            let front = try ScriptedServer { connection in
                connection.forward(toPort: UInt16(server.port))
                connection.abort()
                whenReset()
            }
            return (front, try #require(URL(string: "https://localhost:\(front.port)/ok")))
        }

        @Test func `A connection is not used again after a failed send`() async throws {
            let (certificates, tls) = try trusting()
            let reset = DispatchSemaphore(value: 0)
            let (server, url) = try await resettingServer(certificates) { reset.signal() }
            let transport = CurlTransport()
            for count in 1...3 {
                let recorder = TransportRecorder(whenConnected: { reset.wait() })
                let task = transport.start(TransportRequest(method: .get, url: url, tls: tls), handler: recorder)
                let record = await recorder.finished()
                withExtendedLifetime(task) {}
                #expect(record.failure?.kind == .clientCertificateRejected)
                #expect(server.connections == count)
            }
        }

        @Test func `A refused client gets the TLS error even if its body cannot be sent`() async throws {
            let (certificates, tls) = try trusting()
            let reset = DispatchSemaphore(value: 0)
            let (server, url) = try await resettingServer(certificates) { reset.signal() }
            let body = TransportRequest.Body(length: 600_000) {
                var reads = 0
                return TestBody { buffer in
                    reads += 1
                    if reads == 2 { reset.wait() }
                    return .bytes(buffer.byteCount)
                }
            }
            let recorder = TransportRecorder()
            let task = CurlTransport().start(
                TransportRequest(method: .put, url: url, body: body, tls: tls), handler: recorder)
            let record = await recorder.finished()
            withExtendedLifetime((task, server)) {}
            #expect(record.failure?.kind == .clientCertificateRejected)
        }

        @Test func `Encrypted bytes after a response are not the response to the next request`() async throws {
            let (certificates, tls) = try trusting()
            let pipe = certificates.folder.file("pipe-" + UUID().uuidString)
            #expect(mkfifo(pipe.path, 0o600) == 0)
            let input = try FileHandle(forUpdating: pipe)
            let server = try await TLSServer("good", sending: pipe, in: certificates)
            let transport = CurlTransport()
            let request = TransportRequest(method: .get, url: try server.url(), tls: tls)
            let (first, second) = (TransportRecorder(), TransportRecorder())

            let firstTask = transport.start(request, handler: first)
            try input.write(contentsOf: Data("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n".utf8))
            await first.until { $0.head != nil }
            try input.write(contentsOf: Data("firstHTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil".utf8))
            #expect(await first.finished().text == "first")

            let secondTask = transport.start(request, handler: second)
            await second.until { $0.connections == 1 }
            try input.write(contentsOf: Data("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nsecond".utf8))
            #expect(await second.finished().text == "second")
            withExtendedLifetime((firstTask, secondTask, server, input)) {}
        }

        @Test(.enabled(if: NginxOverTLS.isInstalled, "nginx is not installed"))
        func `Different options share neither connections nor sessions`() async throws {
            let (certificates, plain) = try trusting()
            let nginx = try await NginxOverTLS(in: certificates)
            var pinned = plain
            pinned.pinnedPublicKeys = [try certificates.certificate("good").publicKeyPin]
            var mispinned = plain
            mispinned.pinnedPublicKeys = [try certificates.certificate("other").publicKeyPin]
            var shown = plain
            shown.clientCertificate = try certificates.client("client")
            var misshown = plain
            misshown.clientCertificate = try ClientCertificate(
                certificate: certificates.file("client.pem"), key: certificates.file("stranger.key"))
            var newer = plain
            newer.minimumVersion = .tls13
            let insecure = TLSOptions(authorities: .insecurelyAcceptingAnyCertificate)
            let both = TLSOptions(authorities: .systemAnd([try certificates.certificate("authority")]))
            let client = RESTClient(baseURL: nginx.url, transport: CurlTransport())

            /// The number of the connection, whether a client certificate was sent, and whether a session was reused.
            func facts(_ path: String, _ tls: TLSOptions) async throws -> [String] {
                client.tls = tls
                return try await client.get(path).text?.split(separator: " ").map(String.init) ?? []
            }

            let sound = [plain, pinned, shown, newer, insecure, both]
            var connections: [String] = []
            for tls in sound {
                let first = try await facts("/", tls)
                try #require(first.count == 3)
                #expect(first[1] == (tls == shown ? "SUCCESS" : "NONE"))
                #expect(first[2] == ".")
                #expect(try await facts("/", tls) == first)
                connections.append(first[0])
            }
            #expect(Set(connections).count == sound.count)
            for bad in [mispinned, misshown, TLSOptions(), try certificates.trusting("other")] {
                await #expect(throws: RequestError.self) { try await facts("/", bad) }
            }
            // A separate connection for each, and all options concurrently.
            for round in 0..<3 {
                for tls in sound {
                    let facts = try await facts("/closed", tls)
                    #expect(facts[1] == (tls == shown ? "SUCCESS" : "NONE"), "round \(round)")
                }
                for bad in [mispinned, misshown] {
                    await #expect(throws: RequestError.self) { try await facts("/closed", bad) }
                }
            }
        }
    }
#endif
