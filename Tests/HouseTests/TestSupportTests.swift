import Foundation
import TestSupport
import Testing

@Suite struct `Test support` {
    @Test func `a temporary directory exists while it is used, and is removed afterwards`() throws {
        var folder: TemporaryDirectory? = try TemporaryDirectory()
        let file = try #require(try folder?.write("text", to: "sub/file.txt"))
        #expect(try String(contentsOf: file, encoding: .utf8) == "text")
        #expect(try folder?.names == ["sub"])
        folder = nil
        #expect(!FileManager.default.fileExists(atPath: file.path))
    }

    @Test func `a process has arguments, input, environment and folder, and returns both outputs and its status`()
        throws
    {
        let folder = try TemporaryDirectory()
        let result = try RunningProcess(
            URL(fileURLWithPath: "/bin/sh"),
            arguments: ["-c", "cat; echo \"$1 $WORD $(pwd)\"; echo bad >&2; exit 65", "sh", "two words"],
            input: Data("in\n".utf8), environment: ["WORD": "w"], directory: folder.url
        ).wait()
        #expect(result.status == 65)
        #expect(result.output == "in\ntwo words w \(folder.path)\n")
        #expect(result.errors == "bad\n")
    }

    @Test func `a process that a signal ends has the status of a shell`() throws {
        let process = try RunningProcess(URL(fileURLWithPath: "/bin/sleep"), arguments: ["60"])
        process.send(SIGTERM)
        #expect(try process.wait().status == 143)
    }

    @Test func `a process that cannot be started is an error`() {
        #expect(throws: POSIXError.self) { try runExecutable(named: "no-such-product") }
    }
}
