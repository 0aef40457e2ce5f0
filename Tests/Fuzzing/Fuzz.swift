import Foundation

/// What libFuzzer calls with each input; `main` is its own.
///
/// The variable `FUZZ` names the target; `make fuzz` sets it.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    target(LentText(bytes: UnsafeRawBufferPointer(start: start, count: count)))
    return 0
}

private let target: @Sendable (LentText) -> Void = {
    switch ProcessInfo.processInfo.environment["FUZZ"] {
    case "json": fuzzJSON
    case "keypath": fuzzKeyPath
    case "manifest": fuzzManifest
    default: fatalError("FUZZ must be json, keypath or manifest")
    }
}()

/// Ends the program where two readers disagree; the fuzzer keeps the input.
func expect(_ isTrue: Bool, _ message: @autoclosure () -> String) {
    if !isTrue { fatalError(message()) }
}
