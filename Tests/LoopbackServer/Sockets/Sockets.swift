/// A system call that failed at the start of the server.
package struct SystemError: Error, CustomStringConvertible {
    /// The function of the system.
    package let function: String
    /// Its `errno`.
    package let code: Int32

    init(_ function: String) {
        self.function = function
        code = errno
    }

    package var description: String { "\(function): \(String(cString: strerror(code)))" }
}

/// Opens a socket that listens on a free port of an IPv4 address.
func listen(on host: String) throws -> (socket: Int32, port: UInt16) {
    let listener = socket(AF_INET, streamSocket, 0)
    guard listener >= 0 else { throw SystemError("socket") }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = inet_addr(host)
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let failure: SystemError? = withUnsafeMutableBytes(of: &address) { bytes in
        guard let address = bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self) else { return nil }
        if bind(listener, address, size) != 0 { return SystemError("bind") }
        if listen(listener, 1024) != 0 { return SystemError("listen") }
        return getsockname(listener, address, &size) == 0 ? nil : SystemError("getsockname")
    }
    if let failure {
        close(listener)
        throw failure
    }
    prepare(listener, isBlocking: false)
    return (listener, UInt16(bigEndian: address.sin_port))
}

/// Sets close-on-exec and the blocking mode of a descriptor.
func prepare(_ descriptor: Int32, isBlocking: Bool) {
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    _ = fcntl(descriptor, F_SETFL, isBlocking ? 0 : O_NONBLOCK)
}

/// Accepts the next connection, without delays for small responses; nil if none waits or no descriptor is left.
func acceptConnection(of listener: Int32) -> Int32? {
    let connection = accept(listener, nil, nil)
    guard connection >= 0 else { return nil }
    prepare(connection, isBlocking: true)
    ignoreBrokenPipe(connection)
    var on: Int32 = 1
    setsockopt(connection, Int32(IPPROTO_TCP), Int32(TCP_NODELAY), &on, socklen_t(MemoryLayout<Int32>.size))
    return connection
}

func setOption(_ option: Int32, _ value: Int32, of socket: Int32) {
    var value = value
    setsockopt(socket, SOL_SOCKET, option, &value, socklen_t(MemoryLayout<Int32>.size))
}

/// Sets a timeout for receiving.
func limitReceiving(of socket: Int32, toSeconds seconds: Int) {
    var time = timeval(tv_sec: seconds, tv_usec: 0)
    setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
}

/// Ends both directions, even if a child process has inherited the descriptor.
func shutDown(_ socket: Int32) { shutdown(socket, Int32(SHUT_RDWR)) }

/// `close`, for types with a method of that name.
func closeDescriptor(_ descriptor: Int32) { close(descriptor) }

/// Closes a connection with a RST instead of a FIN.
func closeWithReset(_ socket: Int32) {
    var option = linger(l_onoff: 1, l_linger: 0)
    setsockopt(socket, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    // Closing has no effect while a child process has the socket, too; disconnecting from the peer does.
    var nowhere = sockaddr()
    nowhere.sa_family = sa_family_t(AF_UNSPEC)
    connect(socket, &nowhere, socklen_t(MemoryLayout<sockaddr>.size))
    close(socket)
}

/// Receives available bytes, at most the size of the buffer; 0 if the peer has ended or reset the connection.
func receive(from socket: Int32, into buffer: UnsafeMutableRawBufferPointer) -> Int {
    while true {
        let count = recv(socket, buffer.baseAddress, buffer.count, 0)
        if count >= 0 { return count }
        if errno != EINTR { return 0 }
    }
}

/// Sends all bytes; false if the peer has disconnected.
func sendAll(_ bytes: UnsafeRawBufferPointer, to socket: Int32) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
        let piece = UnsafeRawBufferPointer(rebasing: rest)
        let count = send(socket, piece.baseAddress, piece.count, sendFlags)
        if count > 0 {
            rest = rest.dropFirst(count)
        } else if errno != EINTR {
            return false
        }
    }
    return true
}
