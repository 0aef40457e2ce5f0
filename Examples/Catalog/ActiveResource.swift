import ActiveResource
import ExampleSupport
import Foundation
import LoopbackServer

let activeResource = Example(
    "active-resource", group: "Resources", "Records of a service, found and saved by the conventions of Rails"
) { story in
    story.say("A type with a site and a mapping is a resource. Its paths and methods follow from its name:")
    story.showCode("declaration")

    story.say("A record is found, changed, created and deleted. The service prints what it receives:")
    story.showCode("records")
    story.show("the identifier of the new record: \(try await edit() ?? 0)")

    story.say("A query is a value. Its request is sent when the records are needed:")
    story.showCode("queries")
    story.show(try await describe())

    story.say("Pages follow the links of the service:")
    story.showCode("pages")
    story.show("pages of \(try await pageSizes()) records")

    story.say("Any other status is an error with the request and the response:")
    do throws(ResourceError) {
        _ = try await Employee.find(7)
    } catch {
        story.show("\(error.kind), status \(error.response?.status ?? 0) of \(error.request?.method.rawValue ?? "")")
    }

    story.say("Tests need no network: `ResourceMock` has prepared responses for the same types.")
}

// snippet.declaration
private struct Employee: Resource {
    static let site = ResourceSite(service)  // such as https://api.example.com/v1
    var id: Int?
    var name = ""
    var createdAt: Date?
    var resource = ResourceState()

    static let mapping = Mapping(Employee.init) {
        Attribute("id", \.id)
        Attribute("name", \.name)
        Attribute("created_at", \.createdAt).readOnly
    }
}
// snippet.end

// snippet.records
private func edit() async throws(ResourceError) -> Int? {
    var ann = try await Employee.find(1)
    ann.name = "Ann"
    try await ann.saveOrThrow()

    var bo = Employee(name: "Bo")
    try await bo.saveOrThrow()
    try await bo.destroy()
    return bo.id
}
// snippet.end

// snippet.queries
private func describe() async throws(ResourceError) -> String {
    let query = Employee.where(["active": true])
    let names = try await query.records.map(\.name)
    let cy = try await query.where(["name": "Cy"]).firstOrCreate()
    return "\(names), then \(cy.name); 7 exists: \(try await Employee.exists(7))"
}
// snippet.end

// snippet.pages
private func pageSizes() async throws(ResourceError) -> [Int] {
    var sizes: [Int] = []
    for try await page in Employee.where(["per_page": 2]).pages() { sizes.append(page.count) }
    return sizes
}
// snippet.end

/// The service: a server on this machine that responds like Rails.
private let service = server?.url ?? URL(filePath: "/")

private let server = try? LoopbackServer { request in
    let call = "\(request.method) \(request.target)"
    showRequest(call, try request.body())
    return switch call {
    case "GET /employees/1.json": Answer(body: #"{"id": 1, "name": "Anna", "created_at": "2026-01-02T03:04:05Z"}"#.utf8)
    case "PUT /employees/1.json", "DELETE /employees/2.json": Answer(204)
    case "POST /employees.json":
        Answer(201, headers: [Header("Location", "/employees/2")], body: #"{"id": 2}"#.utf8)
    case "GET /employees.json?active=true": Answer(body: #"[{"id": 1, "name": "Ann"}, {"id": 3, "name": "Di"}]"#.utf8)
    case "GET /employees.json?active=true&name=Cy": Answer(body: "[]".utf8)
    case "GET /employees.json?per_page=2":
        Answer(
            headers: [Header("Link", #"</employees.json?page=2&per_page=2>; rel="next""#)],
            body: #"[{"id": 1}, {"id": 2}]"#.utf8)
    case "GET /employees.json?page=2&per_page=2": Answer(body: #"[{"id": 3}]"#.utf8)
    default: Answer(404, body: #"{"status": 404, "error": "Not Found"}"#.utf8)
    }
}
