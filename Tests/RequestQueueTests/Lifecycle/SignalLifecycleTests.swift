#if os(Linux)
    import Foundation
    import Synchronization
    import TestSupport
    import Testing

    @testable import RequestQueue

    /// Signals that the test sends to itself; only the stop itself is left out.
    @Suite(.serialized, .timeLimit(.minutes(5))) struct SignalLifecycleTests {
        let lifecycle = ApplicationLifecycle()
        let transport = HeldTransport()
        let stops = Stops()

        final class Stops: Sendable {
            private let count = Mutex(0)

            var now: Int { count.withLock { $0 } }
            func add() { count.withLock { $0 += 1 } }
            func wait(for wanted: Int) async { #expect(await eventually { now >= wanted }) }
        }

        private func signals(backgroundTime: Duration = .seconds(60)) async -> SignalLifecycle {
            let signals = SignalLifecycle(driving: lifecycle, backgroundTime: backgroundTime) { [stops] in stops.add() }
            await wait { TerminalSignals.shared.isReady }
            return signals
        }

        private func send(_ signal: Int32) { kill(getpid(), signal) }

        /// Waits for what a signal brings.
        private func wait(until isTrue: () -> Bool) async {
            #expect(await eventually(isTrue))
        }

        private func request(_ policy: BackgroundPolicy) -> RESTRequest {
            var request = RESTRequest.to("/a", transport)
            request.backgroundPolicy = policy
            request.lifecycle = lifecycle
            return request
        }

        @Test func `SIGTSTP enters the background, and the following SIGCONT the foreground`() async {
            let signals = await signals()
            for turn in 1...3 {
                send(SIGTSTP)
                await stops.wait(for: turn)
                #expect(lifecycle.isInBackground)
                send(SIGCONT)
                await wait { !lifecycle.isInBackground }
            }
            withExtendedLifetime(signals) {}
        }

        @Test func `SIGCONT after SIGSTOP does not leave a background entered by a call`() async {
            let signals = await signals()
            lifecycle.enterBackground()
            signals.handleContinue()
            #expect(lifecycle.isInBackground)
            lifecycle.enterForeground()
        }

        @Test func `A child process does not ignore SIGTSTP`() async throws {
            let signals = await signals()
            let (process, output) = (Process(), Pipe())
            process.executableURL = URL(fileURLWithPath: "/bin/grep")
            process.arguments = ["SigIgn", "/proc/self/status"]
            process.standardOutput = output
            try process.run()
            let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            let mask = try #require(text.split(whereSeparator: \.isWhitespace).last.flatMap { UInt64($0, radix: 16) })
            #expect(mask & 1 << UInt64(SIGTSTP - 1) == 0)
            withExtendedLifetime(signals) {}
        }

        @Test func `SIGCONT after SIGSTOP does not enter the foreground`() async {
            let signals = await signals()
            let told = Stops()
            let number = lifecycle.add(catchingUp: true) { _ in told.add() }
            // What the signal SIGCONT brings, without a way to know when it has come.
            signals.handleContinue()
            #expect(told.now == 0)
            send(SIGTSTP)
            await stops.wait(for: 1)
            #expect(told.now == 1 && lifecycle.isInBackground)
            lifecycle.remove(number)
        }

        @Test func `The process stops when no request continues`() async throws {
            let signals = await signals()
            async let response = request(.continue).send()
            await wait { !transport.running.isEmpty }
            send(SIGTSTP)
            await wait { lifecycle.isInBackground }
            #expect(stops.now == 0)
            transport.answer("/a")
            #expect(try await response.status == 200)
            await stops.wait(for: 1)
            withExtendedLifetime(signals) {}
        }

        @Test(arguments: [true, false])
        func `Continuing requests time out after the background time, or at a second SIGTSTP`(isSecondStop: Bool) async
        {
            let signals = await signals(backgroundTime: isSecondStop ? .seconds(60) : .milliseconds(20))
            let request = request(.continue)
            let response = Task { try await request.send() }
            await wait { !transport.running.isEmpty }
            send(SIGTSTP)
            await wait { lifecycle.isInBackground }
            if isSecondStop { send(SIGTSTP) }
            let error = await #expect(throws: RequestError.self) { try await response.value }
            #expect(error?.kind == .backgroundTimedOut)
            await stops.wait(for: 1)
            withExtendedLifetime(signals) {}
        }

        @Test func `SIGCONT before the stop resumes without stopping`() async throws {
            let signals = await signals(backgroundTime: .seconds(60))
            async let response = request(.continue).send()
            await wait { !transport.running.isEmpty }
            send(SIGTSTP)
            await wait { lifecycle.isInBackground }
            send(SIGCONT)
            await wait { !lifecycle.isInBackground }
            transport.answer("/a")
            #expect(try await response.status == 200)
            send(SIGTSTP)
            await stops.wait(for: 1)
            #expect(stops.now == 1)
            withExtendedLifetime(signals) {}
        }
    }
#endif
