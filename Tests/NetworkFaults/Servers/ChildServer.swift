import Foundation
import TestSupport

/// A server in a separate process, which ends with the last reference.
final class ChildServer: Sendable {
    let port: Int
    /// The TLS ports, by the server's names for them.
    let portsOfTLS: [String: Int]
    /// Whether it parses forms.
    let judgesForms: Bool
    private let process: RunningProcess
    private let folder: TemporaryDirectory

    private init(
        _ process: RunningProcess, port: Int, portsOfTLS: [String: Int] = [:], judgesForms: Bool = false,
        in folder: TemporaryDirectory
    ) {
        self.process = process
        self.port = port
        self.portsOfTLS = portsOfTLS
        self.judgesForms = judgesForms
        self.folder = folder
    }

    deinit {
        process.send(SIGTERM)
        _ = try? process.wait()
    }

    /// Files of the server.
    func file(_ name: String) -> URL { folder.file(name) }

    /// The server of CHAOS_SERVER: it prints its ports as a line of JSON.
    static func independent() throws -> ChildServer {
        let environment = ProcessInfo.processInfo.environment
        guard let script = environment["CHAOS_SERVER"], !script.isEmpty else {
            throw ServerError("CHAOS_SERVER names none")
        }
        let python = environment["PYTHON"].flatMap { $0.isEmpty ? nil : $0 } ?? "python3"
        let folder = try TemporaryDirectory()
        // It creates its certificates with the command openssl.
        let hasOpenSSL = try runShell("command -v openssl").status == 0
        let tls = hasOpenSSL ? ["--tls", "--certs", folder.file("certificates").path] : []
        let process = try start([python, script, "--quiet"] + tls, in: folder)
        for _ in 0..<500 {
            if let facts = try? JSONSerialization.jsonObject(with: folder.data(of: "output")) as? [String: Any],
                let port = facts["http"] as? Int
            {
                return ChildServer(
                    process, port: port, portsOfTLS: facts.compactMapValues { $0 as? Int },
                    judgesForms: facts["multipart"] as? Bool == true, in: folder)
            }
            Thread.sleep(forTimeInterval: 0.02)
        }
        process.send(SIGTERM)
        throw ServerError("\(script) told no port")
    }

    /// nginx with a test configuration: files, uploads, compression, few requests per connection.
    static func nginx() throws -> ChildServer {
        let paths = ["/usr/sbin/nginx", "/usr/bin/nginx", "/usr/local/bin/nginx", "/opt/homebrew/bin/nginx"]
        guard let path = paths.first(where: FileManager.default.isExecutableFile) else {
            throw ServerError("not installed")
        }
        let folder = try TemporaryDirectory()
        // Workers of a server that root starts run as the user nobody.
        try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: folder.path)
        try folder.write(Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0) }), to: "files/bytes.bin")
        try folder.write(String(repeating: "a line of text\n", count: 20_000), to: "files/text.txt")
        try folder.write("here", to: "files/folder/index.html")
        try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: folder.file("files").path)
        // nginx needs a port in advance: if a free one is taken meanwhile, the next is tried.
        for _ in 0..<10 {
            let port = try freePort()
            try folder.write(nginxConfiguration(port: port), to: "nginx.conf")
            let process = try start([path, "-p", folder.path, "-c", folder.file("nginx.conf").path], in: folder)
            for _ in 0..<100 {
                if canConnect(to: port) { return ChildServer(process, port: port, in: folder) }
                Thread.sleep(forTimeInterval: 0.02)
            }
            process.send(SIGTERM)
            _ = try process.wait()
        }
        throw ServerError("it does not start")
    }

    /// Starts a server that ends with this process, for any reason; its output is written to a file.
    private static func start(_ command: [String], in folder: TemporaryDirectory) throws -> RunningProcess {
        let script = """
            "$@" > "$0" & server=$!
            trap 'kill $server; wait $server; exit 0' TERM
            while kill -0 \(getpid()) 2> /dev/null && kill -0 $server 2> /dev/null; do sleep 1 & wait $!; done
            kill $server
            """
        let words = ["-c", script, folder.file("output").path] + command
        return try RunningProcess(URL(fileURLWithPath: "/bin/sh"), arguments: words)
    }
}

/// Why a server is missing.
struct ServerError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

private func nginxConfiguration(port: Int) -> String {
    """
    daemon off; worker_processes 1; pid nginx.pid; error_log /dev/null;
    events { worker_connections 256; }
    http {
        access_log off; keepalive_requests 7; client_max_body_size 1m;
        client_body_temp_path body; proxy_temp_path proxy; fastcgi_temp_path fastcgi; uwsgi_temp_path uwsgi; scgi_temp_path scgi;
        server {
            listen 127.0.0.1:\(port);
            root files;
            location = /ok { default_type application/json; return 200 '{"ok":true}'; }
            location = /text.txt { gzip on; gzip_types *; gzip_min_length 0; types {} default_type text/plain; }
            location /put/ { dav_methods PUT DELETE; create_full_put_path on; client_max_body_size 64m; }
            location = /moved { client_max_body_size 64m; return 307 /put/moved.bin; }
        }
    }
    """
}
