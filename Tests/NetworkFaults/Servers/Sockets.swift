import Foundation

/// A port of the loopback interface that is free now.
func freePort() throws -> Int {
    let listener = try LoopbackSocket()
    return try listener.listen(backlog: 1)
}

func canConnect(to port: Int) -> Bool { (try? LoopbackSocket().connect(to: port)) == true }

/// A port that accepts no connection: its queue is full, so that the handshake is never answered.
final class BlackHole: Sendable {
    let port: Int
    private let sockets: [LoopbackSocket]

    init() throws {
        let listener = try LoopbackSocket()
        let port = try listener.listen(backlog: 0)
        self.port = port
        sockets = [listener] + (try (0..<4).map { _ in try LoopbackSocket(isBlocking: false) })
        for socket in sockets.dropFirst() { _ = try socket.connect(to: port) }
    }
}

private final class LoopbackSocket: Sendable {
    private let descriptor: Int32

    init(isBlocking: Bool = true) throws {
        #if canImport(Glibc)
            descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
            descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #endif
        guard descriptor >= 0 else { throw ServerError("no socket: \(errno)") }
        if !isBlocking { _ = fcntl(descriptor, F_SETFL, O_NONBLOCK) }
    }

    deinit { close(descriptor) }

    /// Listens for connections and returns the port.
    func listen(backlog: Int32) throws -> Int {
        var address = Self.address(port: 0)
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let status = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(descriptor, address, size) == 0 ? getsockname(descriptor, address, &size) : -1
            }
        }
        #if canImport(Glibc)
            let isListening = Glibc.listen(descriptor, backlog) == 0
        #else
            let isListening = Darwin.listen(descriptor, backlog) == 0
        #endif
        guard status == 0, isListening else { throw ServerError("no port: \(errno)") }
        return Int(UInt16(bigEndian: address.sin_port))
    }

    /// Whether the connection is established.
    func connect(to port: Int) throws -> Bool {
        var address = Self.address(port: UInt16(port))
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                #if canImport(Glibc)
                    Glibc.connect(descriptor, address, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
                #else
                    Darwin.connect(descriptor, address, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
                #endif
            }
        }
    }

    private static func address(port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr = in_addr(s_addr: UInt32(0x7f00_0001).bigEndian)
        return address
    }
}
