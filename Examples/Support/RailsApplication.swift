#if os(macOS) || os(Linux)
    public import Foundation

    /// The Rails application of this package's tests, for examples.
    public final class RailsApplication {
        /// Its URL.
        public let url: URL
        private let process: Process
        private let folder: URL

        /// Starts the application and waits until it listens; `nil` if Ruby, Rails or Puma is missing.
        public init?() {
            let folder = FileManager.default.temporaryDirectory.appending(path: "rails-application-\(UUID())")
            guard (try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)) != nil,
                let (process, url) = Self.start(temporaryFiles: folder)
            else {
                try? FileManager.default.removeItem(at: folder)
                return nil
            }
            (self.process, self.url, self.folder) = (process, url, folder)
        }

        private static func start(temporaryFiles: URL) -> (Process, URL)? {
            let (process, output) = (Process(), Pipe())
            process.executableURL = URL(filePath: "/bin/sh")
            process.arguments = ["-c", "exec puma -e test -t 1:4 -b tcp://127.0.0.1:0 app.ru"]
            process.currentDirectoryURL = packageFolder("Tests/ActiveResourceTests/Rails")
            process.environment = ProcessInfo.processInfo.environment
                .merging(["RAILS_ENV": "test", "TMPDIR": temporaryFiles.path]) { $1 }
            process.standardOutput = output
            process.standardError = FileHandle.nullDevice
            guard (try? process.run()) != nil else { return nil }
            var text = ""
            while true {
                let data = output.fileHandleForReading.availableData
                if data.isEmpty { return nil }
                text += String(decoding: data, as: UTF8.self)
                if let match = text.firstMatch(of: /Listening on (http:\S+)\n/), let url = URL(string: String(match.1))
                {
                    return (process, url)
                }
            }
        }

        /// Ends the application.
        public func stop() {
            // It has no state to save.
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
            try? FileManager.default.removeItem(at: folder)
        }
    }
#endif
