import Foundation
import RequestQueue

/// The outcome of a request, and its time.
struct Outcome: Sendable {
    /// Nil without an outcome in time.
    let result: Result<RESTResponse, RequestError>?
    let duration: Duration
    let end: ContinuousClock.Instant

    var response: RESTResponse? { try? result?.get() }

    /// The server's description of the request, as a JSON object; empty if there is none.
    var answer: [String: Any] {
        let object = response.flatMap { try? JSONSerialization.jsonObject(with: $0.body) }
        return object as? [String: Any] ?? [:]
    }

    var error: RequestError? {
        if case .failure(let error) = result { error } else { nil }
    }

    /// Reports a finding unless it failed with one of some kinds, with phase, progress and cause.
    func expectFailure(
        _ kinds: Set<RequestError.Kind>, phase: RequestError.Phase? = nil, after: Duration? = nil,
        since start: ContinuousClock.Instant? = nil, in trial: Trial
    ) {
        let wanted = kinds.map(\.rawValue).sorted().joined(separator: " or ")
        guard let error else { return trial.fail("expected \(wanted), got \(self)") }
        trial.expect(kinds.contains(error.kind), "expected \(wanted), got \(self)")
        trial.expect(
            error.url != nil && error.method != nil && !error.cause.isEmpty, "an error that tells too little: \(self)")
        if let phase { trial.expect(error.phase == phase, "expected it while \(phase), got \(self)") }
        guard let after else { return }
        let time = start.map { end - $0 } ?? duration
        trial.expect(
            duration >= after - .milliseconds(10) && time <= after + .milliseconds(250) * Machine.slack,
            "expected it after \(after), got it after \(time): \(self)")
    }

    /// Reports a finding unless there is a response with a status and a body.
    func expectResponse(_ status: Int, body: String? = nil, in trial: Trial) {
        guard let response, response.status == status else { return trial.fail("expected \(status), got \(self)") }
        if let body {
            let text = String(decoding: response.body.prefix(200), as: UTF8.self)
            trial.expect(response.body == Data(body.utf8), "expected \(body), got \(text)")
        }
    }
}

extension Outcome: CustomStringConvertible {
    var description: String {
        let time = "after \(duration.formatted(.units(allowed: [.milliseconds])))"
        switch result {
        case .success(let response): return "\(response.status) with \(response.body.count) bytes \(time)"
        case .failure(let error):
            return
                "\(error.kind) while \(error.phase), \(error.bytesSent) sent, \(error.bytesReceived) received, \(time): \(error.cause)"
        case nil: return "no outcome \(time)"
        }
    }
}
