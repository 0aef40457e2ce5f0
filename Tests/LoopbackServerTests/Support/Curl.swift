import Foundation
import TestSupport

/// Whether the client that tests the server is installed.
let hasCurl = isAvailable(
    FileManager.default.isExecutableFile(atPath: "/usr/bin/curl"), otherwise: "no /usr/bin/curl (apt-get install curl)")

/// A run of `curl`.
final class Curl: Sendable {
    private let process: RunningProcess

    /// The result of a run.
    struct Outcome {
        /// The exit status, such as 56 for a connection that was reset.
        let exit: Int32
        /// The last HTTP status; 0 if there was none.
        let status: Int
        /// The number of connections for the last transfer.
        let connects: Int
        let output: Data

        var text: String { String(decoding: output, as: UTF8.self) }

        /// A member of the output, which is JSON, as text.
        subscript(_ name: String) -> String {
            guard let object = try? JSONSerialization.jsonObject(with: output) as? [String: Any] else { return "?" }
            return object[name].map { "\($0)" } ?? "-"
        }
    }

    /// Starts a run, of at most a minute.
    init(_ arguments: [String], input: Data = Data()) throws {
        let standard = ["-s", "-m", "300", "-w", "%{stderr}%{http_code} %{num_connects}\n"]
        process = try RunningProcess(
            URL(fileURLWithPath: "/usr/bin/curl"), arguments: standard + arguments, input: input)
    }

    /// Waits for the end; call it once.
    func wait() throws -> Outcome {
        let result = try process.wait()
        let words = result.errors.split(separator: "\n").last?.split(separator: " ").map { Int($0) ?? 0 } ?? []
        return Outcome(exit: result.status, status: words.first ?? 0, connects: words.last ?? 0, output: result.stdout)
    }
}

/// Runs `curl` and waits for its end.
func curl(_ arguments: [String], input: Data = Data()) throws -> Curl.Outcome {
    try Curl(arguments, input: input).wait()
}

/// Bytes that contain everything that is difficult in forms and texts.
func sampleBytes(_ count: Int) -> Data {
    var state: UInt64 = 1
    return Data(
        (0..<count).map { index in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return index % 5 == 0 ? UInt8(ascii: "\r") : index % 7 == 0 ? UInt8(ascii: "-") : UInt8(state >> 56)
        })
}
