/// Tells a closure of one decode.
struct DecodeLog {
    private let model: String
    private let tell: @Sendable (MappingEvent) -> Void
    private let start: ContinuousClock.Instant

    /// Nil where nobody listens.
    init?(_ model: Any.Type, _ tell: (@Sendable (MappingEvent) -> Void)?) {
        guard let tell else { return nil }
        self.model = "\(model)"
        self.tell = tell
        start = .now
    }

    func began(_ byteCount: Int) { tell(.began(model: model, byteCount: byteCount)) }

    func ended(_ count: Int, _ issues: [MappingIssue], _ rejected: [RejectedElement]) {
        for issue in issues { tell(.issue(issue)) }
        for element in rejected { tell(.rejected(element)) }
        let duration = start.duration(to: .now)
        tell(.ended(model: model, modelCount: count, rejectedCount: rejected.count, duration: duration))
    }

    func failed(_ error: MappingError) {
        for issue in error.issues { tell(.issue(issue)) }
        tell(.failed(model: model, issueCount: error.issues.count, duration: start.duration(to: .now)))
    }
}
