/// A body that is produced while it is sent, by a task or by a thread that reads from a blocking source.
///
/// The producer starts at the first read and stops when the stream is released.
package final class PumpedStream: BodyStream {
    /// Starts writing to the pipe; returns a function that stops it early, before it finds the pipe closed.
    package typealias Pump = (BodyPipe) -> (@Sendable () -> Void)?

    private let pipe = BodyPipe()
    private var pump: Pump?
    private var stop: (@Sendable () -> Void)?

    package init(_ pump: @escaping Pump) { self.pump = pump }

    deinit {
        pipe.abandon()
        stop?()
    }

    package func read(into buffer: inout MutableRawSpan) throws -> BodyRead {
        if let pump {
            self.pump = nil
            stop = pump(pipe)
        }
        return try pipe.read(into: &buffer)
    }

    package func whenReadable(_ resume: @escaping @Sendable () -> Void) { pipe.whenReadable(resume) }
}
