import TestSupport
import Testing

@Suite(.enabled(if: SystemCallTrace.isAvailable, "strace is not available")) struct DurableDownloadTests {
    @Test func `A download is flushed before it is moved, and its folder afterwards`() throws {
        let trace = try SystemCallTrace(of: "catalog download")
        #expect(trace.result.status == 0, "\(trace.result.errors)")
        #expect(
            trace.calls == ["fsync .download-*.tmp", "rename .download-*.tmp -> map.bin", "fsync ."], "\(trace.calls)")
    }
}
