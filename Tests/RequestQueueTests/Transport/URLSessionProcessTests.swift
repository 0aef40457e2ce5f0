import Foundation
import TestSupport
import Testing

/// Whether this process can use URLSession.
enum URLSessionProcess {
    fileprivate static let variable = "MAPPINGKIT_URLSESSION_TESTS"

    /// Whether Foundation may crash this process: on Linux only a separate process uses URLSession.
    ///
    /// A trap in Foundation's registry of tasks occasionally crashes the process if a task is cancelled at its end.
    static let mayTrap: Bool = {
        #if os(Linux)
            ProcessInfo.processInfo.environment[variable] != nil
        #else
            true
        #endif
    }()
}

#if os(Linux)
    /// Not under a sanitizer, where Foundation traps most of the time.
    @Suite("URLSession transport in a separate process", .timeLimit(.minutes(5)))
    struct URLSessionProcessTests {
        @Test(.enabled(if: !isSanitized && !URLSessionProcess.mayTrap))
        func `The tests of URLSession pass, unless Foundation ends their process`() throws {
            let executable = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
            for attempt in 1...3 {
                let result = try RunningProcess(
                    executable,
                    arguments: [
                        "--testing-library", "swift-testing", "--filter", "URLSessionTransportTests", "--filter",
                        "AuthenticationOverNetworkTests",
                    ],
                    environment: [URLSessionProcess.variable: "1"]
                ).wait()
                if result.status == 0 {
                    #expect(result.output.contains("Test run with") || result.errors.contains("Test run with"))
                    return
                }
                // 128 is added to a signal's number.
                guard result.status > 128 else {
                    Issue.record("\(result.output)\n\(result.errors)")
                    return
                }
                print("Foundation ended the tests of URLSession (status \(result.status)), attempt \(attempt)")
            }
            withKnownIssue("Foundation's URLSession ends the process on Linux") {
                Issue.record("it did so three times")
            }
        }
    }
#endif
