@testable import RequestQueue

/// A machine that receives inputs and returns their effects.
struct MachineRun {
    typealias Input = ExchangeMachine.Input
    typealias Effect = ExchangeMachine.Effect

    var machine: ExchangeMachine

    init(_ rules: ExchangeMachine.Rules, after inputs: [Input] = []) {
        machine = ExchangeMachine(rules)
        for input in inputs { _ = send(input) }
    }

    mutating func send(_ input: Input, at now: Duration = .zero) -> [Effect] {
        var effects = ExchangeMachine.Effects()
        machine.handle(input, at: now, into: &effects)
        return effects.all
    }
}

extension ExchangeMachine.Effects {
    var all: [ExchangeMachine.Effect] {
        var all: [ExchangeMachine.Effect] = []
        forEach { all.append($0) }
        return all
    }
}

extension ExchangeMachine.Rules {
    /// An observed request with two attempts, one redirect and timeouts of 1 and 100 seconds.
    static let standard = Self(
        timeouts: Timeouts(connect: .seconds(1), idle: .seconds(1), total: .seconds(100)),
        retryPolicy: RetryPolicy(attempts: 2, baseDelay: .zero), redirectLimit: 1, isObserved: true)

    func with(_ change: (inout Self) -> Void) -> Self {
        var rules = self
        change(&rules)
        return rules
    }
}

extension ExchangeMachine.Message {
    static let get = Self(hasBody: false, isIdempotent: true)
    static let put = Self(hasBody: true, isIdempotent: true)
    static let post = Self(hasBody: true, isIdempotent: false)
}

extension TransportFailure {
    static let lost = TransportFailure(.connectionLost, "reset")
    static let refused = TransportFailure(.connectionRefused, "no listener")
}
