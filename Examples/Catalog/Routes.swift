import ExampleSupport
import Foundation
import ObjectLoading

let routes = Example(
    "routes", group: "Loading",
    "The paths of a service by class, method, relationship and name, checked by the compiler, and read back from URLs"
) { story in
    story.say("Two managed classes:")
    story.showCode("model")
    story.say("The properties in paths are key paths, so that the compiler finds a misspelled one:")
    story.showCode("routes")
    guard let url = URL(string: "https://harbor.example.com/v1") else { return }
    let manager = ObjectManager(client: RESTClient(baseURL: url))
    addRoutes(to: manager.router)

    let pier = HarborPier()
    pier.pierID = 4
    let boat = HarborBoat()
    (boat.boatID, boat.name, boat.pier) = (7, "Anna/Bella", pier)

    story.say(
        "The path of an object. A route for one method precedes a route for several, and that one a route for any:")
    for method in [HTTPMethod.get, .patch, .post, .put] {
        story.show("\(method): \(try manager.router.path(for: boat, method: method))")
    }
    story.say("The path of a relationship, and of a name. Values are percent-encoded:")
    story.show(try manager.router.path(for: pier, relationship: \.boats))
    story.show(try manager.router.path(named: "search", ["term": "row/sail"]))

    story.say("A value that is nil or was never assigned is an error that names the property:")
    let new = HarborBoat()
    story.show(message { try manager.router.path(for: new, method: .post) })
    new.pier = pier
    story.show(message { try manager.router.path(for: new) })
    story.say("A class, method or name without a route is an error, too:")
    story.show(message { try manager.router.path(for: pier, method: .delete) })
    story.show(message { try manager.router.path(named: "serch") })

    story.say("`route(for:)` returns the route of a URL and the values of its parameters:")
    story.showCode("match")
    for path in ["v1/piers/4/boats?page=2", "v1/boats/Anna%2FBella", "v1/search/oars", "v2/search/oars"] {
        story.show("\(path): \(description(of: path, by: manager))")
    }
}

// snippet.model
final class HarborPier: ManagedObject {
    @Stored(.identity) var pierID = 0
    @ToMany(inverse: \HarborBoat.pier) var boats: [HarborBoat]
}

final class HarborBoat: ManagedObject {
    @Stored(.identity) var boatID = 0
    @Stored var name = ""
    @ToOne var pier: HarborPier?
}
// snippet.end

// snippet.routes
private func addRoutes(to router: Router) {
    router.add(HarborBoat.self, "/boats/\(\.boatID)")
    router.add(HarborBoat.self, methods: [.put, .patch], "/boats/\(\.name)")
    router.add(HarborBoat.self, .post, "/piers/\(\.pier?.pierID)/boats")
    router.add(HarborPier.self, .get, "/piers/\(\.pierID)")
    router.add(HarborPier.self, relationship: \.boats, "/piers/\(\.pierID)/boats")
    router.add(named: "search", "/search/:term")
}
// snippet.end

private func message(_ path: () throws -> String) -> String {
    do { return try path() } catch { return "\(error)" }
}

// snippet.match
private func description(of path: String, by manager: ObjectManager) -> String {
    guard let url = URL(string: "https://harbor.example.com/\(path)"), let route = manager.route(for: url) else {
        return "no route"
    }
    let values = route.parameters.map { "\($0.key) \($0.value)" }.sorted().joined(separator: ", ")
    return "\(route.type.map { "\($0)" } ?? "name") \(route.name ?? "object"), \(values)"
}
// snippet.end
