import ExampleSupport
import Foundation
import RequestQueue

let tlsPinning = Example(
    "tls-pinning", group: "Requests",
    "A server with a self-signed certificate: trusted, pinned by its key, and refused with another key"
) { story in
    let server: SelfSignedServer
    do { server = try SelfSignedServer() } catch {
        story.say("This example needs the command `openssl`. Install it (`apt-get install openssl`). (\(error))")
        return
    }
    let client = RESTClient(baseURL: server.url)

    story.say("This local server has a self-signed certificate. By default, requests are refused before they are sent:")
    story.show(await outcome(of: client))

    story.say("A client that trusts this certificate, and no other authority:")
    story.showCode("trust")
    try trust(server.certificate, in: client)
    story.show(await outcome(of: client))

    story.say("A pin also requires a certain public key. It does not change when the certificate is renewed:")
    story.showCode("pin")
    try pin(server.certificate, in: client)
    story.show(await outcome(of: client))

    story.say("With the pin of another key, requests are refused, even though the certificate is trusted:")
    client.tls.pinnedPublicKeys = [try PublicKeyPin("sha256/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=")]
    story.show(await outcome(of: client))

    story.say("A pin does not replace trust. The right pin without the authority:")
    try pin(server.certificate, in: client)
    client.tls.authorities = .system
    story.show(await outcome(of: client))
}

func outcome(of client: RESTClient) async -> String {
    do {
        return "status \(try await client.get("/").status)"
    } catch {
        return "\(error.kind): \(error.cause)"
    }
}

// snippet.trust
func trust(_ certificate: URL, in client: RESTClient) throws {
    client.tls.authorities = .only(try Certificate.all(in: certificate))
}
// snippet.end

// snippet.pin
func pin(_ certificate: URL, in client: RESTClient) throws {
    client.tls.pinnedPublicKeys = Set(try Certificate.all(in: certificate).map(\.publicKeyPin))
}
// snippet.end

/// A local HTTPS server with a new self-signed certificate for `localhost`, by the command `openssl`.
///
/// It answers each GET request with a status page.
final class SelfSignedServer: Sendable {
    /// The URL of the server.
    let url: URL
    /// The certificate, in the PEM format.
    let certificate: URL
    private let folder: URL
    private let process: UncheckedProcess

    /// `Process` is not `Sendable`; it is only terminated after the server was created.
    private struct UncheckedProcess: @unchecked Sendable { let process: Process }

    /// Why there is no server.
    struct Failure: Error, CustomStringConvertible {
        /// The reason.
        let description: String
    }

    /// Creates a key and a certificate, and starts the server on a free port.
    init() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "tls-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        self.folder = folder
        certificate = folder.appending(path: "certificate.pem")
        do {
            let request = try Self.openSSL(
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "1",
                "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1",
                "-keyout", "key.pem", "-out", "certificate.pem", in: folder)
            request.process.waitUntilExit()
            guard request.process.terminationStatus == 0 else {
                throw Failure(description: "`openssl req` created no certificate")
            }
            let server = try Self.openSSL(
                "s_server", "-accept", "127.0.0.1:0", "-cert", "certificate.pem", "-key", "key.pem", "-www",
                in: folder)
            // The first lines have the port: `ACCEPT 127.0.0.1:40001`.
            var text = ""
            while text.firstMatch(of: /ACCEPT .*:(\d+)\n/) == nil {
                let bytes = server.output.availableData
                guard !bytes.isEmpty else { throw Failure(description: "`openssl s_server` did not start") }
                text += String(decoding: bytes, as: UTF8.self)
            }
            let port = text.firstMatch(of: /ACCEPT .*:(\d+)\n/).map { String($0.1) } ?? ""
            process = UncheckedProcess(process: server.process)
            url = URL(string: "https://localhost:\(port)") ?? folder
        } catch {
            try? FileManager.default.removeItem(at: folder)
            throw error
        }
    }

    deinit {
        process.process.terminate()
        try? FileManager.default.removeItem(at: folder)
    }

    private static func openSSL(
        _ arguments: String..., in folder: URL
    ) throws -> (process: Process, output: FileHandle) {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["openssl"] + arguments
        process.currentDirectoryURL = folder
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        return (process, output.fileHandleForReading)
    }
}
