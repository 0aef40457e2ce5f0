import Synchronization

/// A message of the package for a log.
///
/// Nothing is logged by default. A handler receives the messages of all modules of the process:
///
/// ```swift
/// LogMessage.setHandler(from: .info) { print($0) }
/// // [RequestQueue] error: GET https://api.example.com/films: the host was not found while connecting: …
/// ```
///
/// Messages contain no user names, passwords, queries or values of a payload. On Apple platforms,
/// `writeToSystemLog()` sends a message to the unified log, with a category for each module.
public struct LogMessage: Sendable, CustomStringConvertible {
    /// The module that logs.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum Category: String, Sendable, Hashable, CaseIterable {
        /// Decoding: beginnings, ends, issues and skipped elements.
        case objectMapping = "ObjectMapping"
        /// Requests: responses, errors and retries.
        case requestQueue = "RequestQueue"
        /// SQL statements of a store, without their arguments.
        case objectStore = "ObjectStore"
        /// Requests of resources, and their outcome.
        case activeResource = "ActiveResource"
        /// Loads of objects, routes and descriptors.
        case objectLoading = "ObjectLoading"
        /// Builds and checks of seed databases.
        case seeder = "Seeder"
    }

    /// The importance of a message.
    public enum Level: Int, Sendable, Comparable, CaseIterable {
        /// Details for developers: a decode begins, a response was received, a statement was executed.
        case debug
        /// Regular results: a decode ended, a request is sent again.
        case info
        /// Something unexpected that does not end the operation, such as a skipped element.
        case warning
        /// An issue of a payload, or an operation that failed.
        case error

        /// Whether the first level is less important.
        public static func < (a: Level, b: Level) -> Bool { a.rawValue < b.rawValue }
    }

    /// The module that logs.
    public let category: Category
    /// The importance.
    public let level: Level
    /// The message, without values of the user.
    public let text: String

    /// The category, level and text, such as `[Seeder] info: reading users.json`.
    public var description: String { "[\(category.rawValue)] \(level): \(text)" }

    /// Sets the handler of all messages of the process, and replaces the previous one.
    ///
    /// - Parameters:
    ///   - level: The lowest level that the handler receives. Defaults to `.info`.
    ///   - handler: Receives messages on any thread, and must not block. `nil` stops logging.
    public static func setHandler(from level: Level = .info, _ handler: (@Sendable (LogMessage) -> Void)?) {
        var old = Handler(call: handler)
        // The previous handler is released outside the lock: deinitializers may run code of the user.
        self.handler.withLock { current in
            swap(&current, &old)
            lowestLevel.store(handler == nil ? .max : level.rawValue, ordering: .releasing)
        }
    }

    /// A struct: a closure that is read from a generic type directly is wrapped again at each access, until a call of it
    /// exhausts the stack.
    private struct Handler {
        var call: (@Sendable (LogMessage) -> Void)?
    }

    private static let handler = Mutex(Handler())
    private static let lowestLevel = Atomic(Int.max)

    /// Whether messages of a level are logged.
    package static func isEnabled(_ level: Level) -> Bool {
        level.rawValue >= lowestLevel.load(ordering: .acquiring)
    }

    /// Logs a message; the text is created only if its level is logged.
    package static func log(_ category: Category, _ level: Level, _ text: @autoclosure () -> String) {
        guard isEnabled(level), let handler = handler.withLock({ $0.call }) else { return }
        handler(LogMessage(category: category, level: level, text: text()))
    }
}
