/// How much of a collection's text each of several threads takes at a time.
package struct ParallelReading: Sendable {
    /// Threads, with the one that calls.
    package var threadCount = ProcessInfo.processInfo.activeProcessorCount
    /// A shorter text is read sooner by one thread than threads are woken up.
    package var shortestText = 256 << 10
    /// Bytes that one takes at a time at least; more of them for a longer text.
    package var shortestChunk = 64 << 10
    /// Bytes that one takes at a time at most, so that all end at about the same time.
    package var longestChunk = 512 << 10
    /// Bytes in which the end of an element is looked for; longer elements are read by one thread.
    package var longestElement = 64 << 10

    /// Is told from how many chunks the models came, if from several.
    package var log: (@Sendable (_ chunkCount: Int) -> Void)?

    package init() {}

    func chunkSize(for byteCount: Int) -> Int {
        max(shortestChunk, min(longestChunk, byteCount / (8 * max(1, threadCount))))
    }
}
