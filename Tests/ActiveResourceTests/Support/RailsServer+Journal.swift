import ActiveResource
import TestSupport

extension RailsServer {
    /// The requests that Rails received, as in `PUT /people/1.json {"name":"Ann"}`.
    ///
    /// - Parameter fields: Header fields that are shown before the body.
    func journal(naming fields: [String] = []) async throws -> [String] {
        let client = RESTClient(baseURL: url)
        let response = try await client.get("/_test/journal")
        _ = try await client.delete("/_test/journal")
        return try JSON(response.body).array?.map { entry in
            let query = entry["query"].string ?? ""
            let body = entry["body"].string ?? ""
            let target = (entry["path"].string ?? "") + (query.isEmpty ? "" : "?" + query)
            let headers = fields.compactMap { name in entry["headers"][name].string.map { " \(name): \($0)" } }
            return "\(entry["method"].string ?? "") \(target)" + headers.joined() + (body.isEmpty ? "" : " " + body)
        } ?? []
    }
}
