/// Tells a closure of one iteration of a stream, while it goes on.
struct StreamLog {
    private let model: String
    private let tell: @Sendable (MappingEvent) -> Void
    private let start = ContinuousClock.now
    private var modelCount = 0
    private var rejectedCount = 0

    /// Nil where nobody listens.
    init?(_ model: Any.Type, _ tell: (@Sendable (MappingEvent) -> Void)?) {
        guard let tell else { return nil }
        self.model = "\(model)"
        self.tell = tell
    }

    mutating func made() { modelCount += 1 }

    mutating func rejected(_ element: RejectedElement) {
        for issue in element.issues { tell(.issue(issue)) }
        tell(.rejected(element))
        rejectedCount += 1
    }

    func ended() {
        let duration = start.duration(to: .now)
        tell(.ended(model: model, modelCount: modelCount, rejectedCount: rejectedCount, duration: duration))
    }

    func failed(_ error: any Error) {
        let issues = (error as? MappingError)?.issues ?? []
        for issue in issues { tell(.issue(issue)) }
        tell(.failed(model: model, issueCount: issues.count, duration: start.duration(to: .now)))
    }
}
