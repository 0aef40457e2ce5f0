import RequestQueue

/// One line of the matrix: a fault, and its expected outcome.
struct Fault: Sendable {
    /// The number of its group, such as "F11".
    let row: String
    /// The fault.
    let name: String
    /// The servers that support it.
    let sites: Set<Site>
    /// The number of runs, and the number of quick runs; 0 skips it.
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
    /// GETs of a target that must fail soon with one of some kinds.
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
