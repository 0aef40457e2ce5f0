/// An event of a decode, passed to the closure `MappingOptions.log`.
///
/// It can be logged: however it is printed, it does not contain values of the payload. ``details`` contains them.
///
/// ```swift
/// let options = MappingOptions(log: { event in if event.level >= .warning { logger.log("\(event)") } })
/// ```
public enum MappingEvent: Sendable, Hashable {
    /// A decode starts.
    ///
    /// - Parameters:
    ///   - model: The type of the models, such as "Task".
    ///   - byteCount: The length of the payload in bytes.
    case began(model: String, byteCount: Int)
    /// The payload has an issue; reported after all of it was read, in the order of the text.
    case issue(MappingIssue)
    /// An element is skipped because of its issues.
    case rejected(RejectedElement)
    /// A decode returned its models.
    ///
    /// - Parameters:
    ///   - model: The type of the models.
    ///   - modelCount: The number of models, without nested ones.
    ///   - rejectedCount: The number of elements that were skipped because of their issues.
    ///   - duration: The time since the event `began`.
    case ended(model: String, modelCount: Int, rejectedCount: Int, duration: Duration)
    /// A decode throws; its issues were reported before.
    ///
    /// - Parameters:
    ///   - model: The type of the models.
    ///   - issueCount: The number of issues in the error.
    ///   - duration: The time since the event `began`.
    case failed(model: String, issueCount: Int, duration: Duration)

    /// The severity of an event.
    public typealias Level = LogMessage.Level

    /// The severity of the event: `debug` for starts, `info` for successes, `warning` for duplicate keys and skipped
    /// elements, and `error` for other issues and for failed decodes.
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

extension MappingEvent: CustomStringConvertible {
    /// The event on one line, without values of the payload.
    public var description: String {
        switch self {
        case .began(let model, let byteCount): "\(model): reading \(byteCount) bytes"
        case .issue(let issue): issue.description
        case .rejected(let element): element.description
        case .ended(let model, let modelCount, let rejectedCount, let duration):
            "\(model): \(modelCount) made, \(rejectedCount) skipped, in \(duration)"
        case .failed(let model, let issueCount, let duration):
            "\(model): failed with \(issueCount) \(issueCount == 1 ? "issue" : "issues"), in \(duration)"
        }
    }

    /// The `description` with the values, which may be private data: do not log them.
    public var details: String {
        switch self {
        case .issue(let issue): issue.details
        case .rejected(let element): element.details
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

    /// `nil` without a closure.
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
