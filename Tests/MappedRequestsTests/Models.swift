import LoopbackServer
import MappedRequests

struct Account: Mappable, Equatable {
    var id = 0
    var name = ""
    static let mapping = Mapping(Account.init) {
        Attribute("id", \.id).required
        Attribute("name", \.name)
    }
    /// Another mapping of the same type.
    static let short = Mapping(Account.init) { Attribute("n", \.name) }
}

struct Problem: Mappable, Equatable {
    var title = ""
    static let mapping = Mapping(Problem.init) { Attribute("title", \.title) }
}

/// A model that cannot be written as JSON if its value is NaN.
struct Measure: Mappable {
    var value = Double.nan
    static let mapping = Mapping(Measure.init) { Attribute("value", \.value) }
}

/// A server that responds by a closure, and a client of it.
struct Service {
    let server: LoopbackServer
    let client: RESTClient

    init(_ answer: @escaping LoopbackServer.Handler) throws {
        server = try LoopbackServer(handler: answer)
        client = RESTClient(baseURL: server.url)
    }

    /// A server with the same response for every request.
    init(_ status: Int = 200, type: String = "application/json", body: String) throws {
        try self.init { _ in Answer(status, headers: [Header("Content-Type", type)], body: body.utf8) }
    }
}
