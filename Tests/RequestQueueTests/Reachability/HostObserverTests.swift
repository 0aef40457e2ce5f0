#if os(Linux)
    import Foundation
    import Synchronization
    import TestSupport
    import Testing

    @testable import RequestQueue

    /// Observers of hosts in the network of this machine; `NetworkNamespaceTests` has a separate network.
    @Suite(.timeLimit(.minutes(5))) struct HostObserverTests {
        private static let loopback = ReachabilityState.reachable(via: NetworkInterface(.loopback, name: "lo"))

        @Test(arguments: ["127.0.0.1", "127.1", "127.0.0.53"])
        func `An IP address is determined when the observer is created`(_ host: String) {
            let observer = ReachabilityObserver(host: host)
            #expect(observer.state == Self.loopback)
            observer.redetermine()
            #expect(observer.state == Self.loopback)
        }

        @Test(arguments: ["::1", "[::1]", "[::1]:8080"])
        func `An IPv6 address is determined immediately, with brackets or without`(_ host: String) {
            let observer = ReachabilityObserver(host: host)
            #expect(observer.state.isDetermined)
            #expect(observer.host == "::1")
        }

        @Test(arguments: [
            ("127.0.0.1:8080", "127.0.0.1"), ("localhost:80", "localhost"), ("fe80::1:80", "fe80::1:80"),
            ("https://a", "https://a"), ("", ""), ("[", "["), (":", ""),
        ])
        func `A port after a host is ignored`(text: String, host: String) {
            #expect(ReachabilityObserver(host: text).host == host)
        }

        @Test func `An IPv6 address of a missing link is unreachable`() {
            #expect(ReachabilityObserver(host: "fe80::1%nolink0").state == .notReachable(.noRoute))
        }

        @Test(arguments: ["http://127.0.0.1:80/a", "http://user:password@127.0.0.1", "https://[::ffff:127.0.0.1]/"])
        func `The host of a URL is watched`(_ text: String) throws {
            let observer = ReachabilityObserver(url: try #require(URL(string: text)))
            #expect(observer.state.isDetermined)
            #expect(observer.host?.hasSuffix("127.0.0.1") == true)
        }

        @Test(arguments: ["file:///etc/hosts", "mailto:somebody", "/path"])
        func `A URL without a host is unreachable`(_ text: String) throws {
            #expect(ReachabilityObserver(url: try #require(URL(string: text))).state == .notReachable(.hostNotFound))
        }

        @Test func `An IPv4-mapped IPv6 address uses the interface with the IPv4 address`() {
            func hostBytes(_ host: String) -> [UInt8] {
                guard case .addresses(let addresses) = lookUpAddresses(of: host, isAddress: true) else { return [] }
                return addresses.flatMap(\.hostBytes)
            }
            #expect(hostBytes("::ffff:10.99.0.1") == [10, 99, 0, 1])
            #expect(hostBytes("10.99.0.1") == [10, 99, 0, 1])
            #expect(hostBytes("::1") == [UInt8](repeating: 0, count: 15) + [1, 0, 0, 0, 0])
        }

        @Test func `A name is indeterminate until it is resolved, also when it is determined again`() async {
            let observer = ReachabilityObserver(host: "localhost")
            var states = observer.changes.makeAsyncIterator()
            var first = await states.next()
            if first == .indeterminate { first = await states.next() }
            #expect(first == Self.loopback)
            observer.redetermine()
            #expect(await states.next() == .indeterminate)
            #expect(await states.next() == Self.loopback)
        }

        @Test func `A reported state is valid until the next determination`() {
            let observer = ReachabilityObserver(host: "127.0.0.1")
            observer.report(.notReachable(.noRoute))
            #expect(observer.state == .notReachable(.noRoute))
            observer.redetermine()
            #expect(observer.state == Self.loopback)
        }

        @Test func `A thousand observers share one socket, which is closed with the last one`() async throws {
            let opened = Mutex(0)
            let socket = Mutex(WeakSocket())
            let changes = NetworkChanges {
                let fresh = NetlinkSocket()
                opened.withLock { $0 += 1 }
                socket.withLock { $0.socket = fresh }
                return fresh
            }
            let lookups = NameLookups { _ in .notFound }
            var watches = (0..<1000).map { number in
                HostWatch(host: "127.0.0.1", changes: changes, lookups: lookups) { _ in [] }
            }
            for watch in watches { watch.start() }
            #expect(opened.withLock { $0 } == 1)
            #expect(socket.withLock { $0.socket != nil })
            watches = []
            while socket.withLock({ $0.socket != nil }) { try await Task.sleep(for: .milliseconds(1)) }

            let later = HostWatch(host: "127.0.0.1", changes: changes, lookups: lookups) { _ in [] }
            later.start()
            #expect(opened.withLock { $0 } == 2)
            withExtendedLifetime(later) {}
        }

        @Test func `Without kernel events the state is polled until they are available`() async throws {
            let opened = Mutex(0)
            let changes = NetworkChanges(pollInterval: .milliseconds(10)) {
                let number = opened.withLock { opened in
                    opened += 1
                    return opened
                }
                return number < 4 ? nil : NetlinkSocket()
            }
            let told = Mutex(0)
            let watch = HostWatch(host: "127.0.0.1", changes: changes, lookups: NameLookups { _ in .notFound }) { _ in
                told.withLock { $0 += 1 }
                return []
            }
            watch.start()
            #expect(told.withLock { $0 } == 1, "determined although no change was reported")
            while opened.withLock({ $0 }) < 4 || told.withLock({ $0 }) < 2 {
                try await Task.sleep(for: .milliseconds(1))
            }
            #expect(opened.withLock { $0 } == 4)
            withExtendedLifetime(watch) {}
        }

        private struct WeakSocket {
            weak var socket: NetlinkSocket?
        }
    }
#endif
