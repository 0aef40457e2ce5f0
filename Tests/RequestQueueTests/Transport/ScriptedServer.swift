import Foundation
import Synchronization

#if canImport(Glibc)
    import Glibc

    private let streamSocket = Int32(SOCK_STREAM.rawValue)
#else
    import Darwin

    private let streamSocket = SOCK_STREAM
#endif

/// A server on the loopback interface whose connections run a script, so that it can send invalid responses.
final class ScriptedServer: Sendable {
    /// One connection, used by one thread.
    final class Connection {
        let socket: Int32
        private let listener: Listener
        /// The number of earlier connections.
        let index: Int
        private var buffer = Data()

        init(_ socket: Int32, of listener: Listener, index: Int) {
            self.socket = socket
            self.listener = listener
            self.index = index
        }

        /// The head of the next request; nil at the end.
        func readHead() -> String? {
            let end = Data("\r\n\r\n".utf8)
            while true {
                if let range = buffer.range(of: end) {
                    defer { buffer = Data(buffer[range.upperBound...]) }
                    return String(decoding: buffer[..<range.upperBound], as: UTF8.self)
                }
                guard receive() else { return nil }
            }
        }

        /// The next bytes, up to a number; fewer at the end.
        func read(_ count: Int) -> Data {
            while buffer.count < count, receive() {}
            defer { buffer = Data(buffer.dropFirst(count)) }
            return Data(buffer.prefix(count))
        }

        /// The content of the body after a head; sends 100 Continue if the client expects it.
        func readBody(of head: String) -> Data {
            if head.contains("Transfer-Encoding: chunked") { return readChunks() }
            guard let length = head.firstMatch(of: /Content-Length: (\d+)/) else { return Data() }
            if head.contains("Expect: 100-continue") { write("HTTP/1.1 100 Continue\r\n\r\n") }
            return read(Int(length.1) ?? 0)
        }

        private func readChunks() -> Data {
            var bytes = Data()
            while let size = Int(readLine(), radix: 16) {
                bytes += read(size)
                _ = readLine()
                if size == 0 { break }
            }
            return bytes
        }

        private func readLine() -> String {
            let end = Data("\r\n".utf8)
            while true {
                if let range = buffer.range(of: end) {
                    defer { buffer = Data(buffer[range.upperBound...]) }
                    return String(decoding: buffer[..<range.lowerBound], as: UTF8.self)
                }
                guard receive() else { return "" }
            }
        }

        /// Waits until the peer has closed.
        func waitForEnd() { while receive() {} }

        private func receive() -> Bool {
            var bytes = Data(count: 65536)
            let count = bytes.withUnsafeMutableBytes { recv(socket, $0.baseAddress, $0.count, 0) }
            if count > 0 { buffer += bytes.prefix(count) }
            return count > 0
        }

        /// Sends all bytes.
        ///
        /// - Returns: Whether the peer was connected.
        @discardableResult
        func write(_ bytes: Data) -> Bool {
            bytes.withUnsafeBytes { bytes in
                var rest = bytes[...]
                while !rest.isEmpty {
                    let piece = UnsafeRawBufferPointer(rebasing: rest)
                    let count = send(socket, piece.baseAddress, piece.count, Int32(MSG_NOSIGNAL))
                    guard count > 0 else { return false }
                    rest = rest.dropFirst(count)
                }
                return true
            }
        }

        /// Sends a text.
        @discardableResult
        func write(_ text: String) -> Bool { write(Data(text.utf8)) }

        /// Refuses further connections.
        func refuseOthers() { listener.end() }

        /// Forwards bytes to a server of this machine, and back, until one of them ends.
        func forward(toPort port: UInt16) {
            let server = makeSocket()
            defer { close(server) }
            var address = sockaddr_in.loopback(port)
            let status = withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    connect(server, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
            guard status == 0 else { return }
            var bytes = [UInt8](repeating: 0, count: 65536)
            while true {
                var waiting = [socket, server].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
                guard poll(&waiting, 2, -1) > 0 else { return }
                for source in waiting where source.revents != 0 {
                    let count = recv(source.fd, &bytes, bytes.count, 0)
                    guard count > 0 else { return }
                    _ = send(source.fd == socket ? server : socket, bytes, count, Int32(MSG_NOSIGNAL))
                }
            }
        }

        /// Resets the connection immediately.
        func abort() {
            var nowhere = sockaddr()
            nowhere.sa_family = sa_family_t(AF_UNSPEC)
            connect(socket, &nowhere, socklen_t(MemoryLayout.size(ofValue: nowhere)))
        }

        /// Resets the connection at the end of the script.
        func reset() {
            var linger = linger(l_onoff: 1, l_linger: 0)
            setsockopt(socket, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
        }
    }

    let port: UInt16
    private let listener: Listener

    /// The number of connections.
    var connections: Int { listener.count.load(ordering: .sequentiallyConsistent) }

    /// The listening socket, open until no thread uses it: a closed number could be another server's.
    final class Listener: Sendable {
        let socket: Int32
        let count = Atomic(0)

        init(_ socket: Int32) {
            self.socket = socket
        }

        /// Refuses further connections.
        func end() { shutdown(socket, Int32(SHUT_RDWR)) }

        deinit { close(socket) }
    }

    /// Listens; each connection runs the script on its own thread, and is closed afterwards.
    ///
    /// - Parameter accepts: false if only the system accepts connections, as many as the backlog allows.
    init(backlog: Int32 = 512, accepts: Bool = true, _ script: @escaping @Sendable (Connection) -> Void) throws {
        let listener = Listener(makeSocket())
        var address = sockaddr_in.loopback(0)
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let status = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener.socket, $0, size) + listen(listener.socket, backlog)
                    + getsockname(listener.socket, $0, &size)
            }
        }
        guard status == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        self.listener = listener
        port = UInt16(bigEndian: address.sin_port)
        guard accepts else { return }
        Thread.detachNewThread {
            while true {
                let socket = accept(listener.socket, nil, nil)
                guard socket >= 0 else { return }
                let index = listener.count.add(1, ordering: .sequentiallyConsistent).oldValue
                Thread.detachNewThread {
                    script(Connection(socket, of: listener, index: index))
                    close(socket)
                }
            }
        }
    }

    deinit { listener.end() }

    /// The URL of a path.
    func url(_ path: String = "/") -> URL {
        URL(string: "http://127.0.0.1:\(port)\(path)") ?? URL(fileURLWithPath: "/")
    }
}

private func makeSocket() -> Int32 { socket(AF_INET, streamSocket, 0) }

extension sockaddr_in {
    /// A port of the loopback interface.
    fileprivate static func loopback(_ port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        address.sin_port = port.bigEndian
        return address
    }
}
