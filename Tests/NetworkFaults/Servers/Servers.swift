import Foundation
import TestSupport

/// The available servers that outlive a trial.
final class Servers: Sendable {
    /// The fault server named by CHAOS_SERVER.
    let independent: ChildServer?
    let nginx: ChildServer?
    /// Why some are missing.
    let missing: [String]

    init() {
        var missing: [String] = []
        func start(_ name: String, _ make: () throws -> ChildServer) -> ChildServer? {
            do { return try make() } catch {
                missing.append("\(name): \(error)")
                return nil
            }
        }
        independent = start("the independent fault server", ChildServer.independent)
        nginx = start("nginx", ChildServer.nginx)
        if let independent, !independent.judgesForms {
            missing.append("Python's multipart, which judges our forms: pip install multipart")
        }
        if let problem = NetworkNamespace.problem { missing.append("separate networks: \(problem)") }
        self.missing = missing
    }

    func has(_ site: Site) -> Bool {
        switch site {
        case .loopback, .none: true
        case .network: NetworkNamespace.problem == nil
        case .independent: independent != nil
        case .nginx: nginx != nil
        }
    }

    /// The URL of a server; any URL for a missing one.
    func url(of site: Site) -> URL {
        let port = (site == .nginx ? nginx : independent)?.port ?? 9
        return URL(string: "http://127.0.0.1:\(port)") ?? URL(fileURLWithPath: "/")
    }
}
