// Written by scripts/generate-resource-calls; do not edit.

extension TypedKind {
    @available(*, noasync, message: "outcomeSync blocks the thread; use `await outcome()`")
    func outcomeSync(
        ofSaving record: inout Record, validates: Bool
    ) throws(ResourceError) -> SaveOutcome {
        try Record.saveSync(&record, validates: validates)
    }

    @available(*, noasync, message: "reloadSync blocks the thread; use `await reload()`")
    func reloadSync(_ record: inout Record) throws(ResourceError) {
        try Record.reloadSync(&record)
    }

    @available(*, noasync, message: "destroySync blocks the thread; use `await destroy()`")
    func destroySync(_ record: Record) throws(ResourceError) -> RESTResponse? {
        try Record.destroySync(record)
    }
}
