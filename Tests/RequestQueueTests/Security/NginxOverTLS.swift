#if os(Linux)
    import Foundation
    import TestSupport

    /// nginx with a certificate, which keeps connections and reports them: their number, the result for a client
    /// certificate, and whether the session of an earlier one was reused.
    final class NginxOverTLS: Sendable {
        static let isInstalled = FileManager.default.isExecutableFile(atPath: executable)
        private static let executable = "/usr/sbin/nginx"

        let url: URL
        private let process: RunningProcess
        private let folder: TemporaryDirectory

        init(in certificates: TestCertificates) async throws {
            let folder = try TemporaryDirectory()
            // Workers of a server that root starts run as the user nobody.
            try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: folder.path)
            // nginx needs a port in advance; if one is taken, nginx ends, and the next is tried.
            for _ in 0..<10 {
                let port = Int.random(in: 20_000..<30_000)
                try folder.write(Self.configuration(port, certificates), to: "nginx.conf")
                let process = try RunningProcess(
                    URL(fileURLWithPath: "/usr/bin/timeout"),
                    arguments: [
                        "300", Self.executable, "-p", folder.path, "-c", folder.file("nginx.conf").path, "-e",
                        folder.file("errors").path,
                    ])
                for _ in 0..<200 {
                    if let url = URL(string: "https://localhost:\(port)"), folder.contains("nginx.pid") {
                        (self.url, self.process, self.folder) = (url, process, folder)
                        return
                    }
                    if (try? folder.text(of: "errors"))?.contains("bind()") == true { break }
                    try await Task.sleep(for: .milliseconds(20))
                }
                process.send(SIGTERM)
                _ = try process.wait()
            }
            throw TestCertificates.Failure(text: "nginx does not start")
        }

        deinit {
            process.send(SIGTERM)
            _ = try? process.wait()
        }

        private static func configuration(_ port: Int, _ certificates: TestCertificates) -> String {
            """
            daemon off; worker_processes 1; pid nginx.pid; error_log errors;
            events { worker_connections 256; }
            http {
                access_log off;
                client_body_temp_path body; proxy_temp_path proxy; fastcgi_temp_path fastcgi;
                uwsgi_temp_path uwsgi; scgi_temp_path scgi;
                ssl_session_cache shared:tests:1m; ssl_protocols TLSv1.2 TLSv1.3;
                server {
                    listen 127.0.0.1:\(port) ssl;
                    ssl_certificate \(certificates.file("good.pem").path);
                    ssl_certificate_key \(certificates.file("good.key").path);
                    ssl_verify_client optional;
                    ssl_client_certificate \(certificates.file("authority.pem").path);
                    location / { return 200 "$connection $ssl_client_verify $ssl_session_reused"; }
                    location /closed {
                        keepalive_timeout 0; return 200 "$connection $ssl_client_verify $ssl_session_reused";
                    }
                }
            }
            """
        }
    }
#endif
