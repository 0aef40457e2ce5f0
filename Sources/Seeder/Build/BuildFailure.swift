import ObjectStore

/// The reason why a pass over the sources ended early.
enum BuildFailure: Error {
    /// An entity that was stored without lookups has a repeated identity.
    case needsLookups(entity: String)
    case store(StoreError)
    case seed(SeedError)

    init(_ error: StoreError) {
        self = error.needsLookups ? .needsLookups(entity: error.entity ?? "an entity") : .store(error)
    }

    static func wrap<Result>(_ body: () throws(StoreError) -> Result) throws(BuildFailure) -> Result {
        do { return try body() } catch { throw BuildFailure(error) }
    }

    /// Returns the error for the caller, without the temporary name of the file.
    func seedError(_ output: OutputFile) -> SeedError {
        let error = seedError(doing: "cannot build \(output.title)")
        guard case .store = self, error.kind != .interrupted, error.kind != .terminated else { return error }
        let staged = [output.path, output.path.split(separator: "/").last.map(String.init) ?? ""]
        let message = staged.reduce(error.message) { $0.replacing($1, with: output.title) }
        return SeedError(error.kind, message, advice: error.advice)
    }

    /// Returns the error of an action that failed.
    func seedError(doing action: String) -> SeedError {
        switch self {
        case .seed(let error): return error
        case .needsLookups(let entity): return SeedError(.badData, "rows of \(entity) could not be merged")
        case .store(let error):
            // A statement that was interrupted has a separate error; its cause is reported instead.
            do { try checkInterruption() } catch { return error }
            let values = error.violation?.values.map(\.description).joined(separator: ", ")
            return SeedError(
                error.seedKind, "\(action): \(error.message)\(values.map { ": \($0)" } ?? "")", advice: error.advice)
        }
    }
}

extension StoreError {
    fileprivate var seedKind: SeedError.Kind {
        switch kind {
        case .cannotOpen, .readOnly, .busy: .cannotCreateOutput
        case .full, .inputOutput: .inputOutput
        case .interrupted: .interrupted
        default: .badData
        }
    }
}
