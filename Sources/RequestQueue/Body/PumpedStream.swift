/// A body that something else makes while it is sent: a thread that reads what may block, or a task.
///
/// The pump begins when the first byte is asked for, and stops when the stream goes.
package final class PumpedStream: BodyStream {
    /// Begins to write into the pipe, and says how to stop that early, beyond the pipe's answer that nobody reads.
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
