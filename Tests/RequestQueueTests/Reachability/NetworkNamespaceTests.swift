#if os(Linux)
    import TestSupport
    import Testing

    /// Real changes of a real network, observed by an unprivileged process; `make faults` also checks the times.
    @Suite(.enabled(if: hasNetworks), .timeLimit(.minutes(5)))
    struct NetworkNamespaceTests {
        @Test func `Changes of links, carriers, addresses, routes and names are each reported once`() async throws {
            let network = try await WatchedNetwork()
            for transition in NetworkTransition.all { _ = try await network.perform(transition) }
            let unexpected = try network.unexpected(after: NetworkTransition.all)
            #expect(unexpected.isEmpty, "\(unexpected.joined(separator: "\n"))")
        }

        @Test func `A network is released with its last reference`() throws {
            var network: NetworkNamespace? = try NetworkNamespace(files: ["hosts": ""])
            let name = try #require(network?.name)
            #expect(try runShell("ip netns list").output.contains(name))
            network = nil
            #expect(try !runShell("ip netns list; ls /etc/netns").output.contains(name))
        }
    }

    private let hasNetworks = isAvailable(
        NetworkNamespace.problem == nil,
        otherwise: "tests of reachability in separate networks: \(NetworkNamespace.problem ?? "")")
#endif
