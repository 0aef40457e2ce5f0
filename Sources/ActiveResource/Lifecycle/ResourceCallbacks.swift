/// The functions that are called before, after and around validation, saving and loading of a resource.
///
/// ```swift
/// static let callbacks = ResourceCallbacks<Person>()
///     .before(.save) { $0.name = $0.name.lowercased() }
///     .before(.destroy) { if $0.isAdmin { throw ResourceCallbackAbort() } }
///     .around(.create) { _ in
///         let start = ContinuousClock.now
///         return { _ in print(start.duration(to: .now)) }
///     }
///     .rescue(.conflict) { _, error in print(error) }
/// ```
///
/// The order for a new record is: before and after validation, before save, before create, the request, after create,
/// after save.
public struct ResourceCallbacks<Record>: Sendable {
    /// The events of callbacks.
    public enum Event: Sendable, Hashable {
        /// The local validation.
        case validation
        /// Saving a record, whether it is new or persisted.
        case save
        /// Saving a new record.
        case create
        /// Saving a persisted record.
        case update
        /// Deleting a record.
        case destroy
        /// Loading a record again.
        case reload
    }

    /// A function that can change the record.
    public typealias Callback = @Sendable (inout Record) throws -> Void

    private var befores: [Event: [Callback]] = [:]
    private var afters: [Event: [Callback]] = [:]
    private var arounds: [Event: [@Sendable (inout Record) throws -> Callback]] = [:]
    private var rescues: [(kind: ResourceError.Kind, handler: @Sendable (inout Record, ResourceError) -> Void)] = []

    /// Creates an empty list of callbacks.
    public init() {}

    /// Adds a function before an event; it can cancel the event with a ``ResourceCallbackAbort``.
    public func before(_ event: Event, _ callback: @escaping Callback) -> ResourceCallbacks {
        with { $0.befores[event, default: []].append(callback) }
    }

    /// Adds a function after a successful event.
    public func after(_ event: Event, _ callback: @escaping Callback) -> ResourceCallbacks {
        with { $0.afters[event, default: []].append(callback) }
    }

    /// Adds a function before an event; the function that it returns is called after a successful event.
    public func around(
        _ event: Event, _ callback: @escaping @Sendable (inout Record) throws -> Callback
    ) -> ResourceCallbacks {
        with { $0.arounds[event, default: []].append(callback) }
    }

    /// Adds a handler for errors of a kind in saving, destroying and reloading; the call then returns `false`.
    public func rescue(
        _ kind: ResourceError.Kind, _ handler: @escaping @Sendable (inout Record, ResourceError) -> Void
    ) -> ResourceCallbacks {
        with { $0.rescues.append((kind, handler)) }
    }

    private func with(_ change: (inout ResourceCallbacks) -> Void) -> ResourceCallbacks {
        var copy = self
        change(&copy)
        return copy
    }

    /// Calls the functions before an event; returns those to be called after it, or `nil` if the event was cancelled.
    func begin(_ event: Event, _ record: inout Record) throws(ResourceError) -> [Callback]? {
        do {
            for callback in befores[event] ?? [] { try callback(&record) }
            let ends = try (arounds[event] ?? []).map { try $0(&record) }
            return ends.reversed() + (afters[event] ?? [])
        } catch is ResourceCallbackAbort {
            return nil
        } catch { throw ResourceError(callback: error) }
    }

    /// Calls the functions after an event.
    func end(_ callbacks: [Callback], _ record: inout Record) throws(ResourceError) {
        do {
            for callback in callbacks { try callback(&record) }
        } catch is ResourceCallbackAbort {} catch { throw ResourceError(callback: error) }
    }

    /// Handles an error; throws it without a handler.
    func handle(_ error: ResourceError, _ record: inout Record) throws(ResourceError) {
        guard let handler = rescues.first(where: { $0.kind == error.kind })?.handler else { throw error }
        handler(&record, error)
    }
}

/// The error with which a callback cancels an event; saving then returns `false`.
public struct ResourceCallbackAbort: Error {
    /// Creates the error.
    public init() {}
}
