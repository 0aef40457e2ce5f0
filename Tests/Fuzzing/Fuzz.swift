import Foundation

/// The function that libFuzzer calls with each input; libFuzzer has its own `main`.
///
/// The variable `FUZZ` names the target; `make fuzz` sets it.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    target(LentText(bytes: UnsafeRawBufferPointer(start: start, count: count)))
    return 0
}

private let targets: [String: @Sendable (LentText) -> Void] = [
    "cachefile": fuzzCacheFile,
    "certificate": fuzzCertificate,
    "challenge": fuzzChallenge,
    "cookie": fuzzCookie,
    "head": fuzzHead,
    "json": fuzzJSON,
    "keypath": fuzzKeyPath,
    "manifest": fuzzManifest,
    "multipart": fuzzMultipart,
    "query": fuzzQuery,
    "redirect": fuzzRedirect,
]

private let target: @Sendable (LentText) -> Void = {
    let name = ProcessInfo.processInfo.environment["FUZZ"] ?? ""
    guard let target = targets[name] else {
        fatalError("FUZZ must be one of \(targets.keys.sorted().joined(separator: ", "))")
    }
    return target
}()

/// Ends the program if two readers disagree; the fuzzer stores the input.
func expect(_ isTrue: Bool, _ message: @autoclosure () -> String) {
    if !isTrue { fatalError(message()) }
}
