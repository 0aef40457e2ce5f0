import ActiveResource
import Synchronization

/// Texts that several tasks add.
final class Events: Sendable {
    private let texts = Mutex<[String]>([])

    func add(_ text: String) { texts.withLock { $0.append(text) } }
    var all: [String] { texts.withLock { $0 } }
}

/// A delegate that keeps the statuses of responses.
final class Delegate: RequestDelegate {
    private let statuses = Mutex<[Int]>([])

    var loaded: [Int] { statuses.withLock { $0 } }
    func request(_ request: RESTRequest, didLoad response: RESTResponse) {
        statuses.withLock { $0.append(response.status) }
    }
}
