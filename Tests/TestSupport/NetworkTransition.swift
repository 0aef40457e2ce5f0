/// A change of a network, and what observers of hosts have to tell of it.
public struct NetworkTransition: Sendable {
    /// What happens.
    public let name: String
    /// What is done, as lines for `ip`.
    public let changes: [String]
    /// What the names of hosts are meanwhile; nil: as before.
    public let hosts: String?
    /// Whether those who watch are stopped meanwhile, so that the kernel cannot keep all that it has to tell.
    public let isUnheard: Bool
    /// The expected reports, as hosts with their states; other hosts report nothing.
    public let told: [String: String]

    private init(
        _ name: String, _ changes: [String], hosts: String? = nil, isUnheard: Bool = false, told: [String: String]
    ) {
        self.name = name
        self.changes = changes
        self.hosts = hosts
        self.isUnheard = isUnheard
        self.told = told
    }

    /// What observers tell at the start, in a network that has nothing.
    public static let atFirst = [
        "127.0.0.1": noRoute, "10.99.0.2": noRoute, "fd99::2": noRoute, "192.0.2.1": noRoute, "peer.test": noRoute,
        "late.test": "not reachable: the host has no address",
    ]

    /// What `/etc/hosts` has at the start.
    public static let hostsAtFirst = "10.99.0.2 peer.test\n"

    /// All that can happen to a network, one after the other.
    public static let all = [
        NetworkTransition(
            "the loopback goes up", ["link set lo up"], told: ["127.0.0.1": "reachable via lo (loopback)"]),
        NetworkTransition(
            "a link comes, with addresses",
            [
                "link add v0 type veth peer name v1", "addr add 10.99.0.1/24 dev v0",
                "addr add fd99::1/64 dev v0 nodad", "link set v1 up", "link set v0 up",
            ], told: ["10.99.0.2": throughLink, "fd99::2": throughLink, "peer.test": throughLink]),
        NetworkTransition(
            "the carrier is lost", ["link set v1 down"],
            told: ["10.99.0.2": noCarrier, "fd99::2": noCarrier, "peer.test": noCarrier]),
        NetworkTransition(
            "the carrier is back", ["link set v1 up"],
            told: ["10.99.0.2": throughLink, "fd99::2": throughLink, "peer.test": throughLink]),
        NetworkTransition(
            "an address goes", ["addr del 10.99.0.1/24 dev v0"], told: ["10.99.0.2": noRoute, "peer.test": noRoute]),
        NetworkTransition(
            "51 addresses are added together",
            ["addr add 10.99.0.1/24 dev v0"] + (1...50).map { "addr add 10.99.1.\($0)/32 dev v0" },
            told: ["10.99.0.2": throughLink, "peer.test": throughLink]),
        NetworkTransition("an IPv6 address goes", ["addr del fd99::1/64 dev v0"], told: ["fd99::2": noRoute]),
        NetworkTransition(
            "an address is removed and 1000 are added while no process reads",
            ["addr del 10.99.0.1/24 dev v0"]
                + (0..<1000).map { "addr add 10.98.\($0 / 250).\($0 % 250)/32 dev v0" },
            isUnheard: true, told: ["10.99.0.2": noRoute, "peer.test": noRoute]),
        NetworkTransition(
            "the address comes again", ["addr add 10.99.0.1/24 dev v0", "addr flush dev v0 to 10.98.0.0/16"],
            told: ["10.99.0.2": throughLink, "peer.test": throughLink]),
        NetworkTransition(
            "a default route comes", ["route add default via 10.99.0.2"], told: ["192.0.2.1": throughLink]),
        NetworkTransition(
            "a rule forbids a way", ["rule add to 192.0.2.1 unreachable"], told: ["192.0.2.1": noRoute]),
        NetworkTransition(
            "the rule goes", ["rule del to 192.0.2.1 unreachable"], told: ["192.0.2.1": throughLink]),
        NetworkTransition("the default route goes", ["route del default"], told: ["192.0.2.1": noRoute]),
        NetworkTransition(
            "a name is known in a network that changed", ["addr add 10.99.2.1/32 dev v0"],
            hosts: hostsAtFirst + "10.99.0.2 late.test\n", told: ["late.test": throughLink]),
        NetworkTransition(
            "the link is taken down", ["link set v0 down"],
            told: ["10.99.0.2": noRoute, "peer.test": noRoute, "late.test": noRoute]),
        NetworkTransition(
            "the link is up again", ["link set v0 up"],
            told: ["10.99.0.2": throughLink, "peer.test": throughLink, "late.test": throughLink]),
        NetworkTransition(
            "the link is removed", ["link del v0"],
            told: ["10.99.0.2": noRoute, "peer.test": noRoute, "late.test": noRoute]),
    ]

    /// The reports of a link that was enabled, until it has a carrier a moment later.
    static let noCarrier = "not reachable: v0 has no carrier"
    private static let noRoute = "not reachable: no route to the host"
    private static let throughLink = "reachable via v0 (wired)"
}
