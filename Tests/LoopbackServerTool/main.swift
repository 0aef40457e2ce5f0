import LoopbackServer

// Prints its port as a line of JSON and serves until SIGTERM, the end of standard input, or --max-seconds.
let words = CommandLine.arguments
let seconds = words.firstIndex(of: "--max-seconds").flatMap { words.dropFirst($0 + 1).first }.flatMap { Int($0) } ?? 600

do {
    let server = try LoopbackServer(lifetime: .seconds(seconds), recordLimit: 0)
    print(#"{"port":\#(server.port),"url":"\#(server.url)","pid":\#(getpid())}"#)
    fflush(nil)

    // SIGTERM needs no handler, because nothing must be cleaned up.
    let end = ContinuousClock.now + .seconds(seconds)
    var input = pollfd(fd: 0, events: Int16(POLLIN), revents: 0)
    var byte: UInt8 = 0
    while ContinuousClock.now < end {
        let rest = min(60_000, ContinuousClock.now.duration(to: end) / .milliseconds(1))
        if poll(&input, 1, Int32(rest.rounded(.up))) > 0, read(0, &byte, 1) <= 0 { break }
    }
    server.stop()
} catch {
    print("loopback-server: \(error)")
    exit(1)
}
