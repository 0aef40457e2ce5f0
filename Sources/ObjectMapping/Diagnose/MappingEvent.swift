/// Something that a decode tells the closure in `MappingOptions.log`.
///
/// `description` never holds a value of the payload, so it may be logged; `debugDescription` does.
///
/// ```swift
/// let options = MappingOptions(log: { event in if event.level >= .warning { logger.log("\(event)") } })
/// ```
public enum MappingEvent: Sendable, Hashable {
    /// A decode begins.
    ///
    /// - Parameters:
    ///   - model: The type that is made, as "Task".
    ///   - byteCount: Bytes of the payload.
    case began(model: String, byteCount: Int)
    /// Something is wrong or odd about the payload; told when all of it was read, in the order of the text.
    case issue(MappingIssue)
    /// An element is left out because of its issues.
    case rejected(RejectedElement)
    /// A decode gave its models.
    ///
    /// - Parameters:
    ///   - model: The type that was made.
    ///   - modelCount: How many were made, not counting those in others.
    ///   - rejectedCount: How many elements were left out because of their issues.
    ///   - duration: From the event `began`.
    case ended(model: String, modelCount: Int, rejectedCount: Int, duration: Duration)
    /// A decode throws; its issues were told before.
    ///
    /// - Parameters:
    ///   - model: The type that should have been made.
    ///   - issueCount: How many issues are in the error.
    ///   - duration: From the event `began`.
    case failed(model: String, issueCount: Int, duration: Duration)

    /// How much an event matters.
    public enum Level: Int, Sendable, Comparable, CaseIterable {
        /// What helps to follow a decode: that it began.
        case debug
        /// What is as it should be: that a decode gave its models.
        case info
        /// What is odd, or was put aside, while the decode goes on.
        case warning
        /// What is wrong with a payload, or ends the decode.
        case error

        /// Whether the first one matters less.
        public static func < (a: Level, b: Level) -> Bool { a.rawValue < b.rawValue }
    }

    /// How much the event matters: beginnings are for debugging, ends informative; a repeated key and an element left
    /// out are warnings; any other issue, and a decode that throws, is an error.
    public var level: Level {
        switch self {
        case .began: .debug
        case .ended: .info
        case .issue(let issue): issue.isWarning ? .warning : .error
        case .rejected: .warning
        case .failed: .error
        }
    }
}

extension MappingEvent: CustomStringConvertible, CustomDebugStringConvertible {
    /// The event on one line, without any value of the payload.
    public var description: String {
        switch self {
        case .began(let model, let byteCount): "\(model): reading \(byteCount) bytes"
        case .issue(let issue): issue.description
        case .rejected(let element): element.description
        case .ended(let model, let modelCount, let rejectedCount, let duration):
            "\(model): \(modelCount) made, \(rejectedCount) left out, in \(duration)"
        case .failed(let model, let issueCount, let duration):
            "\(model): failed with \(issueCount) \(issueCount == 1 ? "issue" : "issues"), in \(duration)"
        }
    }

    /// As `description`, with the values.
    public var debugDescription: String {
        switch self {
        case .issue(let issue): issue.debugDescription
        case .rejected(let element): element.debugDescription
        default: description
        }
    }
}

/// Reports one decode, or one iteration of a stream, to a closure.
struct DecodeLog {
    private let model: String
    private let report: @Sendable (MappingEvent) -> Void
    private let start = ContinuousClock.now
    private var modelCount = 0
    private var rejectedCount = 0

    /// Nil without a closure.
    init?(_ model: Any.Type, _ report: (@Sendable (MappingEvent) -> Void)?) {
        guard let report else { return nil }
        self.model = "\(model)"
        self.report = report
    }

    func began(_ byteCount: Int) { report(.began(model: model, byteCount: byteCount)) }

    func found(_ issues: [MappingIssue]) { for issue in issues { report(.issue(issue)) } }

    mutating func made(_ count: Int = 1) { modelCount += count }

    mutating func rejected(_ element: RejectedElement) {
        report(.rejected(element))
        rejectedCount += 1
    }

    func ended() {
        let duration = start.duration(to: .now)
        report(.ended(model: model, modelCount: modelCount, rejectedCount: rejectedCount, duration: duration))
    }

    func failed(_ error: any Error) {
        let issues = (error as? MappingError)?.issues ?? []
        found(issues)
        report(.failed(model: model, issueCount: issues.count, duration: start.duration(to: .now)))
    }
}
