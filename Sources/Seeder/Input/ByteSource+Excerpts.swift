import ObjectMapping
import ObjectStore

extension InputByteSource {
    /// Returns the line around a byte; `nil` if the file can no longer be read.
    func excerpt(around offset: Int) -> SourceExcerpt? {
        let start = max(0, offset - SourceExcerpt.reach)
        var buffer = [UInt8](repeating: 0, count: 2 * SourceExcerpt.reach)
        let count = try? buffer.withMutableRawSpan { try descriptor.readBytes(into: &$0, at: start, name: "") }
        guard let count else { return nil }
        return SourceExcerpt(bytes: buffer[..<count], offset: offset - start)
    }
}

extension GzipByteSource {
    /// Creates a window over a dump, with the errors of the seeder.
    convenience init(dump file: any ByteSource, name: String, longestText: Int) throws(SeedError) {
        do {
            try self.init(file, name: name, longestText: longestText) { failure in
                switch failure {
                case .damaged(let message, let advice): SeedError(.badData, message, advice: advice)
                case .system(let cause): SeedError(.inputOutput, "cannot read \(name): \(cause)")
                }
            }
        } catch {
            throw error as? SeedError ?? SeedError(.inputOutput, "cannot read \(name): \(error)")
        }
    }

    /// Skips bytes up to a number, or to the end.
    func skip(atMost count: Int) throws {
        let block = ByteBlock(count: 64 << 10)
        var rest = count
        while rest > 0, case let count = try read(into: block.bytes), count > 0 { rest -= count }
    }

    /// Returns the lines around bytes of the text, in one pass; `offsets` are sorted.
    func excerpts(around offsets: some Sequence<Int>) -> [Int: SourceExcerpt] {
        let block = ByteBlock(count: 64 << 10)
        var excerpts: [Int: SourceExcerpt] = [:]
        // The stored part of the text, and its offset.
        var kept: [UInt8] = []
        var start = 0
        var isAtEnd = false
        for offset in offsets {
            while !isAtEnd, start + kept.count < offset + SourceExcerpt.reach {
                let passed = min(kept.count, max(0, offset - SourceExcerpt.reach - start))
                kept.removeFirst(passed)
                start += passed
                let count = (try? read(into: block.bytes)) ?? 0
                kept += block.bytes.view.prefix(count)
                isAtEnd = count == 0
            }
            let first = max(0, offset - SourceExcerpt.reach - start)
            let last = min(kept.count, offset + SourceExcerpt.reach - start)
            guard first <= last, offset - start <= kept.count else { continue }
            excerpts[offset] = SourceExcerpt(bytes: kept[first..<last], offset: offset - start - first)
        }
        return excerpts
    }
}
