#if os(Linux)
    import Foundation
    import RequestQueue
    import TestSupport
    import Testing
    import URLSessionTransport

    @Suite(
        "Options of TLS", .enabled(if: TestCertificates.shared != nil, "openssl is not installed"),
        .timeLimit(.minutes(5)))
    struct TLSOptionsTests {
        private let certificates = TestCertificates.shared

        private func text(_ name: String) throws -> String {
            String(decoding: try #require(certificates).data(name), as: UTF8.self)
        }

        /// The thrown error, as text.
        private func mistake(_ body: () throws(RequestError) -> Void) -> String {
            do {
                try body()
                return "nothing"
            } catch {
                return "\(error)"
            }
        }

        @Test func `A pin is equal to that of openssl, from PEM and DER, and is written like it is read`() throws {
            let certificates = try #require(certificates)
            let pin = try PublicKeyPin("sha256/" + text("good.pin").trimmingCharacters(in: .newlines))
            #expect(try Certificate(certificates.data("good.pem")).publicKeyPin == pin)
            #expect(try Certificate(certificates.data("good.der")).publicKeyPin == pin)
            #expect(try PublicKeyPin("\(pin)") == pin)
            #expect(pin.sha256.count == 32)
        }

        @Test(arguments: [
            "", "sha256/", "sha256//AAAA", "sha1/jdFDJTvJDmRzKTYkM7zN6JTKY2RXXgMoFGQYdBAf4gM=",
            "jdFDJTvJDmRzKTYkM7zN6JTKY2RXXgMoFGQYdBAf4gM=", "sha256/jdFDJTvJDmRzKTYkM7zN6JTKY2RXXgMoFGQYdBAf4gM",
            "sha256/jdFDJTvJDmRzKTYkM7zN6JTKY2RXXgMoFGQYdBAf4g==", "sha256/é\n",
        ]) func `A text that is not a pin is an error`(_ text: String) {
            #expect(
                mistake { () throws(RequestError) in _ = try PublicKeyPin(text) }
                    == "the TLS options are invalid: '\(text.replacing("\n", with: #"\n"#))' is not a pin; expected 'sha256/' and 32 bytes in base64"
            )
        }

        @Test func `A PEM text can contain several certificates, with any text between them`() throws {
            let two = try "subject: one\n" + text("authority.pem") + "\n\n" + text("authority.key") + text("other.pem")
            let all = try Certificate.all(in: Data(two.replacing("\n", with: "\r\n").utf8))
            #expect(all.map(\.publicKeyPin) == [try certificate("authority"), try certificate("other")])
        }

        private func certificate(_ name: String) throws -> PublicKeyPin {
            try #require(certificates).certificate(name).publicKeyPin
        }

        struct Bad: Sendable, CustomTestStringConvertible {
            var testDescription: String
            var data: @Sendable (TestCertificates) throws -> Data
            var cause: String
        }

        static let badCertificates = [
            Bad(
                testDescription: "nothing", data: { _ in Data() },
                cause: "no certificate found; expected 'BEGIN CERTIFICATE' or DER"),
            Bad(
                testDescription: "another text", data: { _ in Data("hello\nworld".utf8) },
                cause: "no certificate found; expected 'BEGIN CERTIFICATE' or DER"),
            Bad(
                testDescription: "a key", data: { try $0.data("good.key") },
                cause: "no certificate found; expected 'BEGIN CERTIFICATE' or DER"),
            Bad(
                testDescription: "no end", data: { try $0.data("good.pem").dropLast(30) },
                cause: "the PEM text has no '-----END CERTIFICATE-----'"),
            Bad(
                testDescription: "no base64",
                data: { _ in Data("-----BEGIN CERTIFICATE-----\nMII§\n-----END CERTIFICATE-----".utf8) },
                cause: "'CERTIFICATE' in the PEM text is not base64"),
            Bad(
                testDescription: "another structure",
                data: {
                    try $0.data("authority.pem")
                        + Data("-----BEGIN CERTIFICATE-----\nMAA=\n-----END CERTIFICATE-----\n".utf8)
                }, cause: "certificate 2 of the PEM text is damaged"),
            Bad(
                testDescription: "DER that is cut", data: { try $0.data("good.der").dropLast() },
                cause: "the certificate is damaged"),
            Bad(
                testDescription: "DER and more", data: { try $0.data("good.der") + Data([0]) },
                cause: "the certificate is damaged"),
        ]

        @Test(arguments: badCertificates) func `An invalid certificate is an error`(_ bad: Bad) throws {
            let folder = try TemporaryDirectory()
            let file = try folder.write(try bad.data(#require(certificates)), to: "bad.pem")
            let data = try Data(contentsOf: file)
            #expect(
                mistake { () throws(RequestError) in _ = try Certificate(data) }
                    == "the TLS options are invalid: \(bad.cause)")
            #expect(
                mistake { () throws(RequestError) in _ = try Certificate.all(in: file) }
                    == "the TLS options are invalid: \(bad.cause), in the file '\(file.path)'")
        }

        @Test func `A truncated or changed certificate is valid or an error`() throws {
            let data = try #require(certificates).data("good.der")
            for count in data.indices {
                let text = mistake { () throws(RequestError) in _ = try Certificate(data.prefix(count)) }
                #expect(text != "nothing")
                var changed = data
                changed[count] ^= 0x80
                _ = try? Certificate(changed)
            }
        }

        @Test func `Two certificates instead of one are an error`() throws {
            let two = try text("authority.pem") + text("other.pem")
            #expect(
                mistake { () throws(RequestError) in _ = try Certificate(Data(two.utf8)) }
                    == "the TLS options are invalid: expected one certificate, found 2")
        }

        struct BadKey: Sendable, CustomTestStringConvertible {
            var testDescription: String
            var key: @Sendable (TestCertificates) throws -> Data
            var password: String?
            var cause: String
        }

        static let badKeys = [
            BadKey(
                testDescription: "no key", key: { try $0.data("client.pem") },
                cause: "no private key found; expected 'BEGIN PRIVATE KEY'"),
            BadKey(
                testDescription: "two keys", key: { try $0.data("client.key") + $0.data("other.key") },
                cause: "expected one private key, found 2"),
            BadKey(
                testDescription: "an encrypted key without a password", key: { try $0.data("client.encrypted.key") },
                cause: "the private key is encrypted; pass its password"),
            BadKey(
                testDescription: "an encrypted key of the old form without a password",
                key: { try $0.data("client.old-encrypted.key") },
                cause: "the private key is encrypted; pass its password"),
            BadKey(
                testDescription: "a key without an end", key: { try $0.data("client.key").dropLast(10) },
                cause: "the PEM text has no '-----END EC PRIVATE KEY-----'"),
            BadKey(
                testDescription: "a password with a NUL", key: { try $0.data("client.encrypted.key") },
                password: "secret\0", cause: "the password of the key contains a NUL"),
        ]

        @Test(arguments: badKeys) func `A key that cannot be used is an error`(_ bad: BadKey) throws {
            let certificates = try #require(certificates)
            let (certificate, key) = (try certificates.data("client.pem"), try bad.key(certificates))
            #expect(
                mistake { () throws(RequestError) in
                    _ = try ClientCertificate(certificate: certificate, key: key, password: bad.password)
                } == "the TLS options are invalid: \(bad.cause)")
        }

        @Test func `Files that cannot be read are an error with their path`() throws {
            let certificates = try #require(certificates)
            let (none, folder) = (certificates.file("none.pem"), certificates.folder.url)
            let missing =
                "the TLS options are invalid: the file '\(none.path)' cannot be read: No such file or directory"
            #expect(mistake { () throws(RequestError) in _ = try Certificate.all(in: none) } == missing)
            #expect(
                mistake { () throws(RequestError) in
                    _ = try ClientCertificate(certificate: certificates.file("client.pem"), key: none)
                } == missing)
            #expect(
                mistake { () throws(RequestError) in _ = try ClientCertificate(pkcs12: none, password: "") }
                    == missing)
            #expect(
                mistake { () throws(RequestError) in _ = try Certificate.all(in: folder) }
                    == "the TLS options are invalid: '\(folder.path)' is not a regular file")
            #expect(
                mistake { () throws(RequestError) in
                    _ = try ClientCertificate(pkcs12: certificates.file("client.pem"), password: "secret")
                }
                    == "the TLS options are invalid: the data is not PKCS #12, in the file '\(certificates.file("client.pem").path)'"
            )
        }

        @Test func `Neither key nor password is shown`() throws {
            let certificates = try #require(certificates)
            let certificate = try ClientCertificate(
                certificate: certificates.data("client.pem"), key: certificates.data("client.encrypted.key"),
                password: "a secret")
            var request = RESTRequest(url: URL(string: "https://localhost"))
            request.tls.clientCertificate = certificate
            var dumped = ""
            dump(request, to: &dumped)
            for text in ["\(certificate)", "\(request)", dumped, String(reflecting: certificate)] {
                #expect(!text.contains("a secret"))
                #expect(!text.contains("PRIVATE"))
            }
            #expect("\(certificate)" == "a client certificate with the key \(try self.certificate("client"))")
            #expect(dumped.contains("a client certificate with the key"))
        }

        @Test func `Different options have different identities for caches`() throws {
            let certificates = try #require(certificates)
            let authority = try certificates.certificate("authority")
            let options = [
                TLSOptions(minimumVersion: .tls13), TLSOptions(authorities: .only([authority])),
                TLSOptions(authorities: .systemAnd([authority])),
                TLSOptions(authorities: .insecurelyAcceptingAnyCertificate),
                TLSOptions(pinnedPublicKeys: [authority.publicKeyPin]),
                TLSOptions(clientCertificate: try certificates.client("client")),
                TLSOptions(clientCertificate: try certificates.client("stranger")),
            ]
            #expect(Set(options.compactMap(\.cacheIdentity)).count == options.count)
            #expect(TLSOptions().cacheIdentity == nil)
        }

        @Test func `URLSession on Linux does not send a request whose TLS options it does not support`() async throws {
            let url = try #require(URL(string: "https://localhost:9"))
            let client = RESTClient(baseURL: url, transport: URLSessionTransport())
            client.tls.minimumVersion = .tls13
            await #expect {
                _ = try await client.get("/")
            } throws: { error in
                "\(error)"
                    == "GET https://localhost:9/: the transport does not support the TLS options while connecting: URLSession on Linux supports only the default TLSOptions; use CurlTransport"
            }
        }

        @Test func `Transports separate eight sets of options, and share equal ones`() {
            final class Made: Sendable {}
            let partitions = TLSPartitions { _ in Made() }
            let pins = (UInt8(0)..<9).map { number in
                var options = TLSOptions()
                options.pinnedPublicKeys =
                    (try? [PublicKeyPin("sha256/" + Data(repeating: number, count: 32).base64EncodedString())]) ?? []
                return options
            }
            let first = pins.map { partitions[$0] }
            #expect(Set(first.map { ObjectIdentifier($0) }).count == 9)
            #expect(pins[1...].map { ObjectIdentifier(partitions[$0]) } == first[1...].map { ObjectIdentifier($0) })
            #expect(partitions[pins[0]] !== first[0])
        }
    }
#endif
