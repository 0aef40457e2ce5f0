#if os(Linux)
    import Foundation
    import TestSupport

    /// An independent TLS server, `openssl s_server`: it responds once per connection, with the file `ok`, or with the
    /// bytes of a pipe.
    final class TLSServer: Sendable {
        let port: Int
        private let process: RunningProcess

        /// - Parameters:
        ///   - certificate: The name of one of the test's certificates.
        ///   - options: More options of `s_server`.
        ///   - input: A pipe, each write to which is a TLS record for the connected client.
        init(
            _ certificate: String, _ options: [String] = [], sending input: URL? = nil,
            in certificates: TestCertificates
        ) async throws {
            let output = "output-" + UUID().uuidString
            let command =
                ["timeout", "300", "openssl", "s_server", "-accept", "127.0.0.1:0", "-cert_chain"]
                + ["\(certificate).pem", "-cert", "\(certificate).pem", "-key", "\(certificate).key"] + options
                + (input == nil ? ["-HTTP"] : [])
            process = try RunningProcess(
                URL(fileURLWithPath: "/bin/sh"),
                arguments: ["-c", "exec \"$@\" > \"$0\" < '\(input?.path ?? "/dev/null")'", output] + command,
                directory: certificates.folder.url)
            var port: Int?
            for _ in 0..<1000 where port == nil {
                let line = try? certificates.folder.text(of: output).split(separator: "\n").first {
                    $0.hasPrefix("ACCEPT")
                }
                port = line?.split(separator: ":").last.flatMap { Int($0) }
                if port == nil { try await Task.sleep(for: .milliseconds(10)) }
            }
            guard let port else { throw TestCertificates.Failure(text: "openssl s_server tells no port") }
            self.port = port
        }

        deinit {
            process.send(SIGTERM)
            _ = try? process.wait()
        }

        func url(host: String = "localhost") throws -> URL {
            guard let url = URL(string: "https://\(host):\(port)") else {
                throw TestCertificates.Failure(text: "no URL")
            }
            return url
        }
    }
#endif
