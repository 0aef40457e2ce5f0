import ActiveResource
import Synchronization

/// A list of texts that several tasks can append to.
final class Events: Sendable {
    private let texts = Mutex<[String]>([])

    func add(_ text: String) { texts.withLock { $0.append(text) } }
    var all: [String] { texts.withLock { $0 } }
}

/// A delegate that records the statuses of responses.
final class Delegate: RequestDelegate {
    let statuses: AsyncStream<Int>
    private let continuation: AsyncStream<Int>.Continuation

    init() { (statuses, continuation) = AsyncStream.makeStream() }

    func request(_ request: RESTRequest, didLoad response: RESTResponse) { continuation.yield(response.status) }
}
