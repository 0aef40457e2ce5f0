#if os(Linux)
    import Testing

    @testable import RequestQueue

    /// The state of the route to a host, without sockets and clocks.
    @Suite struct HostDeterminationTests {
        private typealias Step = HostDetermination.Step

        private let wired = NetworkInterface(.wired, name: "eth0")
        private let wireless = NetworkInterface(.wifi, name: "wlan0")
        private let one = addresses("10.0.0.1")
        private let other = addresses("10.0.0.2")

        /// A name that was resolved by an interface.
        private func reachable() -> HostDetermination {
            var host = HostDetermination(isAddress: false)
            _ = host.start()
            _ = host.lookedUp(1, .addresses(one))
            _ = host.checked(.begins(wired))
            return host
        }

        @Test func `An IP address is only checked: at the start, after a change and on request`() {
            var host = HostDetermination(isAddress: true)
            #expect(host.start() == [.check([])])
            #expect(host.checked(.begins(wired)) == [.report(.reachable(via: wired))])
            #expect(host.networkChanged() == [.check([])])
            #expect(host.checked(.missing(.noRoute)) == [.report(.notReachable(.noRoute))])
            #expect(host.determineAgain() == [.check([])])
        }

        @Test func `A name is looked up, then its addresses are checked`() {
            var host = HostDetermination(isAddress: false)
            #expect(host.start() == [.lookUp(1)])
            #expect(host.lookedUp(1, .addresses(one)) == [.check(one)])
            #expect(host.checked(.begins(wired)) == [.report(.reachable(via: wired))])
        }

        @Test func `A change without a new route does not resolve the name again`() {
            var host = reachable()
            for _ in 0..<50 {
                #expect(host.networkChanged() == [.check(one)])
                #expect(host.checked(.begins(wired)) == [.report(.reachable(via: wired))])
            }
        }

        @Test func `A lost carrier is reported before the name server is queried`() {
            var host = reachable()
            #expect(host.networkChanged() == [.check(one)])
            let lost = ReachabilityState.Cause.noCarrier(interface: "eth0")
            #expect(host.checked(.missing(lost)) == [.report(.notReachable(lost)), .lookUp(2)])
            #expect(host.waitedForLookup(2) == [.check(one)])
            #expect(host.checked(.missing(lost)) == [.report(.notReachable(lost))])
            #expect(host.lookedUp(2, .none) == [.check(one)])
        }

        @Test func `A change of the interface resolves the name again`() {
            var host = reachable()
            _ = host.networkChanged()
            #expect(host.checked(.begins(wireless)) == [.report(.reachable(via: wireless)), .lookUp(2)])
            #expect(host.lookedUp(2, .addresses(other)) == [.check(other)])
            #expect(host.checked(.begins(wireless)) == [.report(.reachable(via: wireless))])
        }

        @Test func `Each change resolves the name again while the host is unreachable`() {
            var host = reachable()
            _ = host.networkChanged()
            _ = host.checked(.missing(.noRoute))
            _ = host.networkChanged()
            #expect(host.checked(.missing(.noRoute)) == [.report(.notReachable(.noRoute)), .lookUp(3)])
        }

        @Test func `A failed lookup in another network does not replace the addresses`() {
            var host = reachable()
            _ = host.networkChanged()
            _ = host.checked(.missing(.noRoute))
            _ = host.networkChanged()
            _ = host.checked(.missing(.noRoute))
            #expect(host.lookedUp(2, .notFound) == [])
            #expect(host.lookedUp(2, .none) == [])
            #expect(host.lookedUp(3, .addresses(other)) == [.check(other)])
            #expect(host.waitedForLookup(2) == [])
            #expect(host.waitedForLookup(3) == [])
        }

        @Test func `An unknown name is resolved again after a pause that doubles up to 30 s`() {
            var host = HostDetermination(isAddress: false)
            _ = host.start()
            for (number, seconds) in [1, 2, 4, 8, 16, 30, 30].enumerated() {
                let pause = Duration.seconds(seconds)
                let steps = host.lookedUp(number + 1, .notFound)
                guard case .lookAgain(let ticket, pause)? = steps.last else {
                    Issue.record("expected a pause of \(pause), got \(steps)")
                    return
                }
                #expect(steps.first == .report(.notReachable(.hostNotFound)))
                #expect(host.lookAgain(ticket) == [.lookUp(number + 2)])
                #expect(host.lookAgain(ticket) == [], "a wish counts once")
            }
        }

        @Test func `A change of the network resets the pause and cancels the planned lookup`() {
            var host = HostDetermination(isAddress: false)
            _ = host.start()
            _ = host.lookedUp(1, .notFound)
            #expect(host.networkChanged() == [.lookUp(2)])
            #expect(host.lookAgain(1) == [])
            #expect(host.lookedUp(2, .none).last == .lookAgain(4, after: .seconds(1)))
        }

        @Test func `Without known addresses, a name is unreachable if no name server responds`() {
            var host = HostDetermination(isAddress: false)
            _ = host.start()
            let steps: [Step] = [.report(.notReachable(.noNameService)), .lookAgain(2, after: .seconds(1))]
            #expect(host.waitedForLookup(1) == steps)
            // It responds late.
            #expect(host.lookedUp(1, .addresses(one)) == [.check(one)])
            #expect(host.checked(.begins(wired)) == [.report(.reachable(via: wired))])
        }

        @Test func `Known addresses are kept while no name server responds, but not if the name no longer exists`() {
            var host = reachable()
            #expect(host.determineAgain() == [.report(.indeterminate), .lookUp(2)])
            #expect(host.waitedForLookup(2) == [.check(one)])
            #expect(host.checked(.begins(wired)) == [.report(.reachable(via: wired))])
            #expect(host.lookedUp(2, .notFound).first == .report(.notReachable(.hostNotFound)))
            #expect(host.networkChanged() == [.lookUp(3)])
        }

        @Test func `If the system does not respond, the state is kept and checked again after a second`() {
            var host = reachable()
            _ = host.networkChanged()
            #expect(host.checked(.unknown) == [.lookAgain(2, after: .seconds(1))])
            _ = host.networkChanged()
            #expect(host.checked(.unknown) == [.lookAgain(3, after: .seconds(1))])
            #expect(host.lookAgain(2) == [], "only one wish at a time")
            #expect(host.lookAgain(3) == [.check(one)])
            #expect(host.checked(.begins(wired)) == [.report(.reachable(via: wired))])
        }
    }

    private func addresses(_ host: String) -> [SocketAddress] {
        if case .addresses(let addresses) = lookUpAddresses(of: host, isAddress: true) { addresses } else { [] }
    }
#endif
