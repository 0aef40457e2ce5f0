import RequestQueue

/// One line of the matrix: something that goes wrong, and what has to come of it.
struct Fault: Sendable {
    /// The number of its group, as "F11".
    let row: String
    /// What goes wrong.
    let name: String
    /// The servers that can do it.
    let sites: Set<Site>
    /// How often it is tried, and how often in a hurry; with 0 not at all.
    let count: Int
    let quickCount: Int
    let run: @Sendable (Trial) async throws -> Void

    init(
        _ row: String, _ name: String, on sites: Set<Site> = [.loopback, .independent], count: Int = 20,
        quickCount: Int? = nil, _ run: @escaping @Sendable (Trial) async throws -> Void
    ) {
        self.row = row
        self.name = name
        self.sites = sites
        self.count = count
        self.quickCount = quickCount ?? min(count, 4)
        self.run = run
    }
}

extension Fault {
    /// GETs of a target that must fail, each with one of some kinds, and soon.
    static func failing(
        _ row: String, _ name: String, _ target: String, _ kinds: Set<RequestError.Kind>,
        on sites: Set<Site> = [.loopback, .independent], count: Int = 20
    ) -> Fault {
        Fault(row, name, on: sites, count: count) { trial in
            await trial.repeated { _ in await trial.send(.get, target).expectFailure(kinds, in: trial) }
        }
    }

    /// GETs of a target that must succeed with a status and a body.
    static func succeeding(
        _ row: String, _ name: String, _ target: String, status: Int = 200, body: String? = nil,
        on sites: Set<Site> = [.loopback, .independent], count: Int = 20
    ) -> Fault {
        Fault(row, name, on: sites, count: count) { trial in
            await trial.repeated { _ in
                await trial.send(.get, target).expectResponse(status, body: body, in: trial)
            }
        }
    }
}
