extension ExchangeMachine {
    /// An action that follows from an input.
    enum Effect: Hashable, Sendable {
        /// Validates the request, and creates the file of a download.
        case begin
        // Tasks, with their numbers.
        case join(Int)
        case adapt(Int)
        case transmit(Int)
        case cancelTask
        /// Resumes the transfer, a number of times.
        case resume(Int)
        case lookUp
        /// Provides credentials; `isAnswer`: for a challenge.
        case authorize(isAnswer: Bool)
        case redirect
        /// Opens the body again; `isBlocking`: before the transfer continues.
        case reopenBody(isBlocking: Bool)
        /// Prepares the next attempt, and sets its alarm.
        case backOff(Retry)
        case receiveBody
        /// Releases the body of the request, which is not needed.
        case dropBody
        /// Delivers the received bytes.
        case consume
        case finishBody
        /// The cache processes the response.
        case conclude
        case save
        case commit
        // Calls of the sender's closures.
        case notifySent
        case notifyProgress
        case notifyRetry(Retry)
        /// Notifies the observer of an event of the identical request.
        case notifyJoined
        /// Asks the queue for the turn of the next attempt.
        case awaitTurn
        /// Returns the request to its queue, which cancels this attempt.
        case putBack
        /// Stores the outcome, and releases resources.
        case end(Ending)
        case deliver
        /// Reports a defect.
        indirect case report(Input, Stage)
    }

    /// The effects of one input, in their order; up to three are stored without an allocation.
    struct Effects: Sendable {
        private var first: Effect?
        private var second: Effect?
        private var third: Effect?
        private var rest: [Effect] = []

        mutating func append(_ effect: Effect) {
            if first == nil {
                first = effect
            } else if second == nil {
                second = effect
            } else if third == nil {
                third = effect
            } else {
                rest.append(effect)
            }
        }

        var isEmpty: Bool { first == nil }

        /// Whether received bytes are delivered.
        var isConsumption: Bool { if case .consume? = first { true } else { false } }

        /// Adds the effects of another input.
        mutating func append(_ effects: Effects) {
            if isEmpty { self = effects } else { effects.forEach { append($0) } }
        }

        func forEach(_ body: (Effect) -> Void) {
            if let first { body(first) }
            if let second { body(second) }
            if let third { body(third) }
            rest.forEach(body)
        }
    }
}
