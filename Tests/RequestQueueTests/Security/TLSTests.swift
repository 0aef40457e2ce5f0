#if os(Linux)
    import Foundation
    import RequestQueue
    import Testing

    @Suite("TLS", .enabled(if: TestCertificates.shared != nil, "openssl is not installed"), .timeLimit(.minutes(5)))
    struct TLSTests {
        struct Case: Sendable, CustomTestStringConvertible {
            var testDescription: String
            var certificate = "good"
            var host = "localhost"
            var options: [String] = []
            var tls: @Sendable (TestCertificates) throws -> TLSOptions = { try $0.trusting() }
            /// Nil for success; the port is replaced by PORT.
            var error: String?
            /// An alternative error: either the server's alert or the end of the connection arrives first.
            var otherError: String?
        }

        static let start = "GET https://localhost:PORT/ok: "
        static let withClient = ["-Verify", "1", "-verify_return_error", "-CAfile", "authority.pem"]

        static func pinned(_ pins: String...) -> @Sendable (TestCertificates) throws -> TLSOptions {
            { certificates in
                var options = try certificates.trusting()
                options.pinnedPublicKeys = try Set(pins.map { try certificates.certificate($0).publicKeyPin })
                return options
            }
        }

        static func showing(_ name: String) -> @Sendable (TestCertificates) throws -> TLSOptions {
            { certificates in
                var options = try certificates.trusting()
                options.clientCertificate = try certificates.client(name)
                return options
            }
        }

        static let cases: [Case] = [
            Case(testDescription: "a sound certificate"),
            Case(testDescription: "a sound certificate of an address", host: "127.0.0.1"),
            Case(
                testDescription: "an expired certificate", certificate: "expired",
                error: start
                    + "the server's certificate has expired or is not valid yet while connecting: the certificate has expired (libcurl 60, OpenSSL 10)"
            ),
            Case(
                testDescription: "a certificate that is not valid yet", certificate: "early",
                error: start
                    + "the server's certificate has expired or is not valid yet while connecting: the certificate is not valid yet (libcurl 60, OpenSSL 9)"
            ),
            Case(
                testDescription: "a self-signed certificate", certificate: "selfsigned",
                error: start
                    + "the server's certificate is self-signed while connecting: the certificate is not signed by an authority (libcurl 60, OpenSSL 18)"
            ),
            Case(
                testDescription: "a self-signed certificate that is trusted", certificate: "selfsigned",
                tls: { try $0.trusting("selfsigned") }),
            Case(
                testDescription: "a certificate of another host", certificate: "elsewhere",
                error: start
                    + "certificate hostname mismatch while connecting: the certificate is not valid for the host 'localhost' (libcurl 60)"
            ),
            Case(
                testDescription: "an unknown authority", certificate: "unknown",
                error: start
                    + "the server's certificate is not trusted while connecting: the certificate is not signed by a trusted authority (libcurl 60, OpenSSL 20)"
            ),
            Case(
                testDescription: "the system's authorities", tls: { _ in TLSOptions() },
                error: start
                    + "the server's certificate is not trusted while connecting: the certificate is not signed by a trusted authority (libcurl 60, OpenSSL 20)"
            ),
            Case(
                testDescription: "the system's authorities and ours",
                tls: { TLSOptions(authorities: .systemAnd([try $0.certificate("authority")])) }),
            Case(
                testDescription: "a certificate that is no authority's, but issues one", certificate: "beneath",
                error: start
                    + "the server's certificate is not trusted while connecting: its chain to a trusted authority is invalid (libcurl 60, OpenSSL 79)"
            ),
            Case(
                testDescription: "two authorities", certificate: "unknown",
                tls: {
                    TLSOptions(authorities: .only([try $0.certificate("authority"), try $0.certificate("other")]))
                }),
            Case(
                testDescription: "any certificate, insecurely", certificate: "expired",
                tls: { _ in TLSOptions(authorities: .insecurelyAcceptingAnyCertificate) }),
            Case(
                testDescription: "any host, insecurely", certificate: "elsewhere",
                tls: { _ in TLSOptions(authorities: .insecurelyAcceptingAnyCertificate) }),
            Case(testDescription: "a pinned key", tls: pinned("good")),
            Case(testDescription: "one of two pinned keys", tls: pinned("other", "good")),
            Case(
                testDescription: "the authority's key is pinned", tls: pinned("authority"),
                error: start
                    + "public key pin mismatch while connecting: it is not the pinned key (libcurl 90)"
            ),
            Case(
                testDescription: "two other keys are pinned", tls: pinned("other", "client"),
                error: start
                    + "public key pin mismatch while connecting: it is not one of the 2 pinned keys (libcurl 90)"
            ),
            Case(
                testDescription: "a pinned key in an expired certificate", certificate: "expired",
                tls: pinned("expired"),
                error: start
                    + "the server's certificate has expired or is not valid yet while connecting: the certificate has expired (libcurl 60, OpenSSL 10)"
            ),
            Case(
                testDescription: "any certificate, insecurely, with another key than the pinned one",
                tls: {
                    TLSOptions(
                        authorities: .insecurelyAcceptingAnyCertificate,
                        pinnedPublicKeys: [try $0.certificate("other").publicKeyPin])
                },
                error: start
                    + "public key pin mismatch while connecting: it is not the pinned key (libcurl 90)"
            ),
            Case(
                testDescription: "TLS 1.1 only", options: ["-tls1_1", "-cipher", "ALL:@SECLEVEL=0"],
                error: start
                    + "no common TLS version while connecting: server and client have no common TLS version (OpenSSL 1070) (libcurl 35)"
            ),
            Case(testDescription: "TLS 1.2 only", options: ["-tls1_2"]),
            Case(
                testDescription: "TLS 1.2 only, but 1.3 is required", options: ["-tls1_2"],
                tls: {
                    var options = try $0.trusting()
                    options.minimumVersion = .tls13
                    return options
                },
                error: start
                    + "no common TLS version while connecting: server and client have no common TLS version (OpenSSL 1070) (libcurl 35)"
            ),
            Case(
                testDescription: "no cipher in common", options: ["-tls1_2", "-cipher", "PSK"],
                error: start
                    + "TLS failed while connecting: error:0A000410:SSL routines::sslv3 alert handshake failure (libcurl 35)"
            ),
            Case(testDescription: "a client certificate", options: withClient, tls: showing("client")),
            Case(
                testDescription: "a client certificate, TLS 1.2", options: withClient + ["-tls1_2"],
                tls: showing("client")),
            Case(
                testDescription: "an encrypted key in PKCS #8", options: withClient,
                tls: { certificates in
                    var options = try certificates.trusting()
                    options.clientCertificate = try ClientCertificate(
                        certificate: certificates.file("client.pem"), key: certificates.file("client.encrypted.key"),
                        password: "secret")
                    return options
                }),
            Case(
                testDescription: "an encrypted key of the old form", options: withClient,
                tls: { certificates in
                    var options = try certificates.trusting()
                    options.clientCertificate = try ClientCertificate(
                        certificate: certificates.file("client.pem"),
                        key: certificates.file("client.old-encrypted.key"), password: "secret")
                    return options
                }),
            Case(
                testDescription: "a client certificate in PKCS #12", options: withClient,
                tls: { certificates in
                    var options = try certificates.trusting()
                    options.clientCertificate = try ClientCertificate(
                        pkcs12: certificates.file("client.p12"), password: "secret")
                    return options
                }),
            Case(
                testDescription: "no client certificate", options: withClient,
                error: start
                    + "the server rejected the client certificate while waiting (0 bytes sent, 0 received): the server requires TLSOptions.clientCertificate (TLS alert 116) (libcurl 56)",
                otherError: start
                    + "the server rejected the client certificate while waiting (0 bytes sent, 0 received): the server requested a client certificate and closed the connection; set TLSOptions.clientCertificate (libcurl 55)"
            ),
            Case(
                testDescription: "no client certificate, TLS 1.2", options: withClient + ["-tls1_2"],
                error: start
                    + "the server rejected the client certificate while connecting: the server requested a client certificate and closed the connection; set TLSOptions.clientCertificate (libcurl 35)"
            ),
            Case(
                testDescription: "a client certificate of an unknown authority", options: withClient,
                tls: showing("stranger"),
                error: start
                    + "the server rejected the client certificate while waiting (0 bytes sent, 0 received): the server does not accept the client certificate (TLS alert 48) (libcurl 56)",
                otherError: start
                    + "the server rejected the client certificate while waiting (0 bytes sent, 0 received): the server received a client certificate, and closed the connection before the request (libcurl 55)"
            ),
            Case(
                testDescription: "a client certificate of an unknown authority, TLS 1.2",
                options: withClient + ["-tls1_2"], tls: showing("stranger"),
                error: start
                    + "the server rejected the client certificate while connecting: the server does not accept the client certificate (TLS alert 48) (libcurl 35)"
            ),
            Case(
                testDescription: "an expired client certificate", options: withClient, tls: showing("expired"),
                error: start
                    + "the server rejected the client certificate while waiting (0 bytes sent, 0 received): the server does not accept the client certificate (TLS alert 45) (libcurl 56)",
                otherError: start
                    + "the server rejected the client certificate while waiting (0 bytes sent, 0 received): the server received a client certificate, and closed the connection before the request (libcurl 55)"
            ),
            Case(
                testDescription: "a key of another certificate", options: withClient,
                tls: { certificates in
                    var options = try certificates.trusting()
                    options.clientCertificate = try ClientCertificate(
                        certificate: certificates.file("client.pem"), key: certificates.file("stranger.key"))
                    return options
                },
                error: start
                    + "the TLS options are invalid while connecting: the private key is damaged, or does not match the certificate (libcurl 58)"
            ),
            Case(
                testDescription: "a wrong password", options: withClient,
                tls: { certificates in
                    var options = try certificates.trusting()
                    options.clientCertificate = try ClientCertificate(
                        certificate: certificates.file("client.pem"), key: certificates.file("client.encrypted.key"),
                        password: "wrong")
                    return options
                },
                error: start
                    + "the TLS options are invalid while connecting: wrong password, or the private key does not match the certificate (libcurl 58)"
            ),
            Case(
                testDescription: "a wrong password of PKCS #12", options: withClient,
                tls: { certificates in
                    var options = try certificates.trusting()
                    options.clientCertificate = try ClientCertificate(
                        pkcs12: certificates.file("client.p12"), password: "wrong")
                    return options
                },
                error: start
                    + "the TLS options are invalid while connecting: the PKCS #12 of the client certificate is damaged, or its password is wrong (libcurl 58)"
            ),
            Case(
                testDescription: "no authority", tls: { _ in TLSOptions(authorities: .only([])) },
                error: start
                    + "the TLS options are invalid while connecting: TLSOptions.authorities is empty"),
        ]

        @Test(arguments: cases) func `Certificates are verified in both directions`(_ test: Case) async throws {
            let certificates = try #require(TestCertificates.shared)
            let server = try await TLSServer(test.certificate, test.options, in: certificates)
            let client = RESTClient(baseURL: try server.url(host: test.host), transport: CurlTransport())
            client.tls = try test.tls(certificates)
            var text: String?
            do { #expect(try await client.get("/ok").text == "ok") } catch { text = "\(error)" }
            // Some texts of libcurl contain the version of OpenSSL.
            let shown = text?.replacing(":\(server.port)", with: ":PORT").replacing(#/OpenSSL/[0-9.]+: /#, with: "")
            #expect(shown == test.error || shown != nil && shown == test.otherError)
        }
    }
#endif
