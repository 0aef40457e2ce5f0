import ActiveResource
import Foundation
import TestSupport

/// The Rails application of the tests, on a free port, if Ruby and Rails are installed.
final class RailsServer: Sendable {
    /// Debian's packages: ruby-railties ruby-actionpack ruby-activerecord ruby-activemodel-serializers-xml ruby-sqlite3 puma.
    static let isInstalled = isAvailable(
        (try? runShell("ruby -e 'gem %q(railties); gem %q(sqlite3); gem %q(puma)'"))?.status == 0,
        otherwise: "Ruby on Rails: resources are not compared with it")

    private let process: RunningProcess
    private let temporaryFiles: TemporaryDirectory
    let url: URL

    /// Starts the application and waits until it listens.
    init() async throws {
        let folder = resource("Tests/ActiveResourceTests/Rails")
        temporaryFiles = try TemporaryDirectory()
        process = try RunningProcess(
            URL(filePath: "/bin/sh"), arguments: ["-c", "exec puma -e test -t 1:4 -b tcp://127.0.0.1:0 app.ru"],
            environment: ["RAILS_ENV": "test", "TMPDIR": temporaryFiles.path], directory: folder)
        let deadline = ContinuousClock.now + .seconds(60)
        while true {
            let output = try process.output
            if let line = output.split(separator: "\n").first(where: { $0.contains("Listening on http://") }),
                let url = URL(string: String(line[(line.firstRange(of: "http")?.lowerBound ?? line.startIndex)...]))
            {
                self.url = url
                return
            }
            guard ContinuousClock.now < deadline else {
                throw RequestError(.timedOut, "Rails did not start: \(output)")
            }
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    /// Ends the process and waits for it.
    func stop() throws {
        process.send(SIGTERM)
        _ = try process.wait()
    }

    /// The requests that Rails received, as in `PUT /people/1.json {"name":"Ann"}`.
    ///
    /// - Parameter fields: Header fields that are shown before the body.
    func journal(naming fields: [String] = []) async throws -> [String] {
        let client = RESTClient(baseURL: url)
        let response = try await client.get("/_test/journal")
        _ = try await client.delete("/_test/journal")
        return try JSON(response.body).array?.map { entry in
            let query = entry["query"].string ?? ""
            let body = entry["body"].string ?? ""
            let target = (entry["path"].string ?? "") + (query.isEmpty ? "" : "?" + query)
            let headers = fields.compactMap { name in entry["headers"][name].string.map { " \(name): \($0)" } }
            return "\(entry["method"].string ?? "") \(target)" + headers.joined() + (body.isEmpty ? "" : " " + body)
        } ?? []
    }
}
