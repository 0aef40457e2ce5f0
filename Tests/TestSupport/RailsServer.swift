public import Foundation

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The Rails application of the tests, on a free port, if Ruby and Rails are installed.
public final class RailsServer: Sendable {
    /// Debian's packages: ruby-railties ruby-actionpack ruby-activerecord ruby-activemodel-serializers-xml ruby-sqlite3 puma.
    public static let isInstalled = isAvailable(
        (try? runShell("ruby -e 'gem %q(railties); gem %q(sqlite3); gem %q(puma)'"))?.status == 0,
        otherwise: "Ruby on Rails: resources are not compared with it")

    /// The application did not listen in time.
    struct NotStarted: Error {
        let output: String
    }

    private let process: RunningProcess
    private let temporaryFiles: TemporaryDirectory
    /// The URL of the application.
    public let url: URL

    /// Starts the application and waits until it listens.
    public init() async throws {
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
            guard ContinuousClock.now < deadline else { throw NotStarted(output: output) }
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    /// Ends the process and waits for it.
    public func stop() throws {
        process.send(SIGTERM)
        _ = try process.wait()
    }
}
