/// The elements of a collection, read by several threads.
struct ChunkedDecode: @unchecked Sendable {  // guarded by never changing, nor does the window over a whole text
    let run: DecodeRun
    let starts: ElementStarts
    /// At the first element.
    let first: ElementCursor
    let type: ElementType
    let policy: MappingReport.Policy

    /// Takes chunks from a queue, and reads them, until it has none.
    ///
    /// - Parameter memory: Where the models go, as soon as it is known how many stand before them.
    func read(from queue: ChunkQueue, into memory: Memory?) {
        var reader = self.reader
        defer { reader.free() }
        while let number = queue.take() {
            var reading = ChunkReading(number, of: self, &reader)
            let chunk = reading.read(&reader)
            // Each thread writes where no other does.
            for landing in queue.finish(number, chunk) {
                if let memory { type.move(landing.models, landing.count, memory + landing.position * type.stride) }
                landing.models.deallocate()
            }
            // One that stopped anywhere in the text is not used again.
            guard case .failure = chunk.end else { continue }
            reader.free()
            reader = self.reader
        }
    }

    private var reader: PlanReader {
        var reader = run.reader(first.window)
        reader.takesValuesEarly = true
        return reader
    }
}
