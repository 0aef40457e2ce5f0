import RequestQueue
import Synchronization

/// Records the events that it receives as a delegate of queues and requests.
final class ListeningDelegate: RequestQueueDelegate, RequestDelegate {
    private let lines: AsyncStream<String>.Continuation
    private let stream: AsyncStream<String>

    init() { (stream, lines) = AsyncStream.makeStream() }

    /// Returns the recorded events when there are a number of them.
    func told(_ count: Int) async -> [String] {
        var told: [String] = []
        if count == 0 { return told }
        for await line in stream {
            told.append(line)
            if told.count == count { break }
        }
        return told
    }

    private func note(_ event: RequestQueue.Event) { lines.yield(event.word) }
    private func note(_ word: String, _ request: RESTRequest) { lines.yield("\(word) \(request.url?.path ?? "")") }

    func requestQueue(_ queue: RequestQueue, wasSuspendedFor reason: RequestQueue.SuspensionReason) {
        note(.wasSuspended(reason))
    }
    func requestQueue(_ queue: RequestQueue, wasUnsuspendedFor reason: RequestQueue.SuspensionReason) {
        note(.wasUnsuspended(reason))
    }
    func requestQueueDidBeginLoading(_ queue: RequestQueue) { note(.didBeginLoading) }
    func requestQueueDidFinishLoading(_ queue: RequestQueue) { note(.didFinishLoading) }
    func requestQueue(_ queue: RequestQueue, willSend request: QueuedRequest) { note(.willSend(request)) }
    func requestQueue(_ queue: RequestQueue, didSend request: QueuedRequest) { note(.didSend(request)) }
    func requestQueue(_ queue: RequestQueue, didProgress progress: RequestProgress, of request: QueuedRequest) {
        note(.didProgress(request, progress))
    }
    func requestQueue(_ queue: RequestQueue, didLoad response: RESTResponse, of request: QueuedRequest) {
        note(.didLoad(request, response))
    }
    func requestQueue(_ queue: RequestQueue, didCancel request: QueuedRequest) {
        lines.yield("didCancel \(request.request.url?.path ?? "")")
    }
    func requestQueue(_ queue: RequestQueue, didFail error: RequestError, of request: QueuedRequest) {
        note(.didFail(request, error))
    }
    func requestQueue(_ queue: RequestQueue, didTimeOut error: RequestError, of request: QueuedRequest) {
        note(.didTimeOut(request, error))
    }

    func requestWillSend(_ request: RESTRequest) { note("willSend", request) }
    func requestDidSend(_ request: RESTRequest) { note("didSend", request) }
    func request(_ request: RESTRequest, didProgress progress: RequestProgress) { note("didProgress", request) }
    func request(_ request: RESTRequest, didLoad response: RESTResponse) { note("didLoad", request) }
    func request(_ request: RESTRequest, didFail error: RequestError) { note("didFail", request) }
    func requestDidCancel(_ request: RESTRequest) { note("didCancel", request) }
    func request(_ request: RESTRequest, didTimeOut error: RequestError) { note("didTimeOut", request) }
}

extension RequestQueue.Event {
    /// The event in short: its name and the path of its request, or its reason.
    var word: String {
        let name = description.prefix { $0 != " " }
        if let request { return "\(name) \(request.request.url?.path ?? "")" }
        return description
    }
}

extension RequestQueue.Events {
    /// All events until the queue is no more, in short.
    func words() async -> [String] {
        var words: [String] = []
        for await event in self { words.append(event.word) }
        return words
    }
}
