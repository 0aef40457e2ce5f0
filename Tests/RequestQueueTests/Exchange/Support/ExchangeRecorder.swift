import Synchronization

@testable import RequestQueue

/// Runs exchanges and keeps what they tell.
final class ExchangeRecorder: Sendable {
    enum Told: Sendable {
        case event(RequestEvent)
        case outcome(Result<RESTResponse, RequestError>)
    }

    private let told = Mutex<[Told]>([])

    func note(_ what: Told) { told.withLock { $0.append(what) } }

    var all: [Told] { told.withLock { $0 } }

    var outcomes: [Result<RESTResponse, RequestError>] {
        all.compactMap { if case .outcome(let outcome) = $0 { outcome } else { nil } }
    }

    /// The names of the received events, in order.
    var names: [String] {
        all.map {
            switch $0 {
            case .event(.didSend): "didSend"
            case .event(.progress): "progress"
            case .event(.willRetry): "willRetry"
            case .event(.willSend): "willSend"
            case .event(.didFinish): "didFinish"
            case .outcome(.success): "response"
            case .outcome(.failure(let error)): error.kind.rawValue
            }
        }
    }

    var progress: [RequestProgress] {
        all.compactMap { if case .event(.progress(let progress)) = $0 { progress } else { nil } }
    }

    var retries: [RequestRetry] {
        all.compactMap { if case .event(.willRetry(let retry)) = $0 { retry } else { nil } }
    }

    func exchange(_ request: RESTRequest, delivery: Exchange.Delivery = .memory) -> Exchange {
        Exchange(request, delivery: delivery, observer: { self.note(.event($0)) }) { self.note(.outcome($0)) }
    }
}

/// Returns the outcome of a request whose script runs to its end synchronously.
func outcome(
    of request: RESTRequest, delivery: Exchange.Delivery = .memory
) throws -> Result<RESTResponse, RequestError> {
    let recorder = ExchangeRecorder()
    Exchange(request, delivery: delivery) { recorder.note(.outcome($0)) }.start()
    guard let outcome = recorder.outcomes.first, recorder.outcomes.count == 1 else { throw NoOutcome() }
    return outcome
}

struct NoOutcome: Error {}

extension Result {
    var failure: Failure? { if case .failure(let failure) = self { failure } else { nil } }
}

/// A request for tests.
func request(
    _ method: HTTPMethod = .get, _ url: String = "http://server.example/a", headers: HTTPHeaders = [:],
    body: String? = nil, over transport: any Transport
) throws -> RESTRequest {
    var request = RESTRequest(method, url: URL(string: url), transport: transport)
    request.headers = headers
    if let body { request.body = try RequestBody(.data(Data(body.utf8), contentType: "text/plain")) }
    return request
}
