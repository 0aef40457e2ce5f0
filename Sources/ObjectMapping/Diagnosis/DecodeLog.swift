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
