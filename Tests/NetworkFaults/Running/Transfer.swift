import Foundation
import RequestQueue
import Synchronization
import TestSupport

/// A request in a separate process, which is stopped.
struct Transfer: Codable {
    var method = "GET"
    let url: String
    /// The size of the body.
    var bytes = 0
    var policy = "none"
    var attempts = 1
    /// Seconds.
    var idle = 2.0
    var total: Double?
    /// The path of a file that is created when bytes are sent or received.
    var mark = ""
}

/// Sends the request that an argument describes in JSON, and prints its outcome; it handles the stops of a terminal.
func transfer(_ words: [String]) async {
    guard let word = words.first, let transfer = try? JSONDecoder().decode(Transfer.self, from: Data(word.utf8)) else {
        exit(64)
    }
    let signals = SignalLifecycle(backgroundTime: .seconds(20))
    var request = RESTRequest(HTTPMethod(rawValue: transfer.method), url: URL(string: transfer.url))
    request.timeouts.idle = .seconds(transfer.idle) * Machine.slack
    request.timeouts.total = transfer.total.map { .seconds($0) * Machine.slack }
    request.backgroundPolicy = BackgroundPolicy(rawValue: transfer.policy) ?? .none
    request.retryPolicy = RetryPolicy(attempts: transfer.attempts, baseDelay: .milliseconds(10))
    if transfer.bytes > 0 { request.setBody(DataBody(Data(count: transfer.bytes))) }
    do throws(RequestError) {
        let response = try await request.onProgress { _ in try? Data().write(to: URL(fileURLWithPath: transfer.mark)) }
            .send()
        print("\(response.status), \(response.body.count) bytes, attempt \(response.attempts)")
    } catch {
        print("\(error.kind): \(error)")
    }
    withExtendedLifetime(signals) {}
}

extension Trial {
    /// Sends a request in another process, stops the process by a signal, and continues it later.
    ///
    /// - Parameter meanwhile: A function that is called while it is stopped.
    /// - Returns: Its output, and how long it continued after the signal.
    func stop(
        _ transfer: Transfer, by signal: Int32, for time: Duration, meanwhile: () -> Void = {}
    ) async throws -> (said: String, goingOn: Duration) {
        let folder = try TemporaryDirectory()
        var transfer = transfer
        transfer.mark = folder.file("under-way").path
        let word = String(decoding: try JSONEncoder().encode(transfer), as: UTF8.self)
        let process = try RunningProcess(
            URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath(), arguments: ["transfer", word])
        guard await isTrueSoon({ FileManager.default.fileExists(atPath: transfer.mark) }) else {
            process.send(SIGKILL)
            return ("nothing went or came, \(try process.wait().output)", .zero)
        }
        let start = ContinuousClock.now
        process.send(signal)
        // A process with an outcome may end before it is stopped.
        expect(await isTrueSoon { "TZ".contains(state(of: process.id)) }, "it does not stop")
        let goingOn = ContinuousClock.now - start
        meanwhile()
        try await Task.sleep(for: time)
        expect("TZ".contains(state(of: process.id)), "it did not stay stopped")
        process.send(SIGCONT)
        let result = try await withCheckedThrowingContinuation { continuation in
            Thread { continuation.resume(with: Result { try process.wait() }) }.start()
        }
        return (result.output.trimmingCharacters(in: .newlines) + result.errors, goingOn)
    }
}

private func isTrueSoon(_ isTrue: () -> Bool) async -> Bool {
    let end = ContinuousClock.now + Trial.patience
    while !isTrue() {
        guard ContinuousClock.now < end else { return false }
        try? await Task.sleep(for: .milliseconds(5))
    }
    return true
}

/// The state of a process, such as T if it is stopped and Z if it has ended; it is after its name in parentheses.
private func state(of id: Int32) -> Character {
    let line = try? String(contentsOfFile: "/proc/\(id)/stat", encoding: .utf8)
    return line?.split(separator: ")").last?.dropFirst().first ?? "?"
}
