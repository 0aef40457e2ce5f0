import Foundation
import HTTPPeer
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The peer URLSession with completion handlers, its fastest interface.
@main struct HTTPURLSession: HTTPPeer {
    private let session: URLSession

    static func main() async { await serve(HTTPURLSession()) }

    private init() {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpMaximumConnectionsPerHost = 64
        configuration.urlCache = nil
        session = URLSession(configuration: configuration)
    }

    func text(of url: String) async throws -> String {
        String(decoding: try await session.data(from: parsed(url)).0, as: UTF8.self)
    }

    func get(_ url: String, count: Int, concurrency: Int) async throws -> Tally {
        let run = Run(session: session, url: try parsed(url), left: count)
        return await withCheckedContinuation { done in run.start(concurrency, done) }
    }

    /// A body from a file, because URLSession does not create forms.
    func upload(_ file: String, to url: String) async throws -> String {
        var request = URLRequest(url: try parsed(url))
        request.httpMethod = "POST"
        request.timeoutInterval = 600
        return String(
            decoding: try await session.upload(for: request, fromFile: URL(fileURLWithPath: file)).0, as: UTF8.self)
    }

    private func parsed(_ url: String) throws -> URL {
        guard let parsed = URL(string: url) else { throw PeerError("invalid URL") }
        return parsed
    }
}

/// Sequential requests, each of which starts the next.
private final class Run: Sendable {
    private struct State {
        var left: Int
        var running = 0
        var tally = Tally()
        var done: CheckedContinuation<Tally, Never>?
    }

    private let session: URLSession
    private let url: URL
    private let state: Mutex<State>

    init(session: URLSession, url: URL, left: Int) {
        self.session = session
        self.url = url
        state = Mutex(State(left: left))
    }

    func start(_ concurrency: Int, _ done: CheckedContinuation<Tally, Never>) {
        state.withLock { $0.done = done }
        for _ in 0..<concurrency { next() }
    }

    private func next() {
        let isLeft = state.withLock { state in
            guard state.left > 0 else { return false }
            state.left -= 1
            state.running += 1
            return true
        }
        guard isLeft else { return }
        session.dataTask(with: url) { data, response, _ in
            let status = (response as? HTTPURLResponse)?.statusCode ?? 0
            let done = self.state.withLock { state in
                state.running -= 1
                state.tally.add(status: status, bytes: data?.count ?? 0)
                guard state.left == 0, state.running == 0, let done = state.done else {
                    return nil as (() -> Void)?
                }
                state.done = nil
                let tally = state.tally
                return { done.resume(returning: tally) }
            }
            if let done { done() } else { self.next() }
        }.resume()
    }
}
