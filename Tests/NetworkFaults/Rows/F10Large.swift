import Foundation
import RequestQueue
import TestSupport

extension Fault {
    /// Bodies that should not be in memory.
    static let large: [Fault] = [
        Fault("F10", "1 GiB for memory, its length declared", count: 1) { trial in
            await trial.withGrowth(atMost: 32) {
                await trial.send(.get, "/bytes?n=1073741824").expectFailure([.responseTooLarge], in: trial)
            }
        },
        Fault("F10", "1 GiB for memory in chunks, limit 16 MiB", count: 1) { trial in
            await trial.withGrowth(atMost: 48) {
                await trial.send(.get, "/bytes?n=1073741824&chunked=1") { $0.limits.bodyInMemory = 16 << 20 }
                    .expectFailure([.responseTooLarge], in: trial)
            }
        },
        Fault("F10", "1 GiB into a file", count: 1, quickCount: 0) { trial in
            let folder = try TemporaryDirectory()
            await trial.withGrowth(atMost: 32) {
                do {
                    _ = try await trial.request(.get, "/bytes?n=1073741824").download(to: folder.file("bytes"))
                } catch { trial.fail("\(error)") }
            }
            try expectPattern(in: folder.file("bytes"), count: 1 << 30, trial)
        },
        Fault("F10", "1 GiB as a stream", count: 1, quickCount: 0) { trial in
            await trial.withGrowth(atMost: 32) {
                do {
                    var count = 0
                    for try await piece in try await trial.request(.get, "/bytes?n=1073741824").stream().body {
                        count += piece.count
                    }
                    trial.expect(count == 1 << 30, "\(count) bytes were received")
                } catch { trial.fail("\(error)") }
            }
        },
        Fault("F10", "a truncated download leaves no file") { trial in
            let folder = try TemporaryDirectory()
            await trial.repeated { run in
                do throws(RequestError) {
                    _ = try await trial.request(.get, "/truncate").download(to: folder.file("\(run)"))
                    trial.fail("it succeeded")
                } catch { trial.expect(error.kind == .truncatedResponse, "\(error)") }
            }
            let left = try folder.names
            trial.expect(left.isEmpty, "remaining files: \(left)")
        },
    ]
}

/// Reports a finding unless a file has a number of bytes 0, 1, … 255, repeated.
func expectPattern(in file: URL, count: Int, _ trial: Trial) throws {
    let reader = try FileHandle(forReadingFrom: file)
    defer { try? reader.close() }
    let pattern = Data((0..<1 << 20).map { UInt8(truncatingIfNeeded: $0) })
    var found = 0
    while let piece = try reader.read(upToCount: pattern.count), !piece.isEmpty {
        trial.expect(piece == pattern.prefix(piece.count), "other bytes than those sent, after \(found)")
        found += piece.count
    }
    trial.expect(found == count, "\(found) bytes instead of \(count)")
}

extension Trial {
    /// Reports a finding unless the process, including the server, grows by less than a number of megabytes.
    func withGrowth(atMost limit: Double, _ body: () async -> Void) async {
        Machine.forgetPeak()
        let before = Machine.peakMegabytes
        await body()
        guard Machine.isMemoryTrue, let before, let peak = Machine.peakMegabytes else { return }
        expect(peak - before <= limit, "the process grew by \(Int(peak - before)) MB, more than \(Int(limit))")
    }
}
