// What the compiler finds after the types; see Types.swift.
import Dispatch

func constants() {
    _ = Int(truncatingIfNeeded: 1 as Int64)
    let _: Int = 0xFFFF_FFFF  // error: watchOS
    let _: Int = 1_000_000 * 1_000_000  // error: watchOS
    let _: Int = 0x7FFF_FFFF
}

func initialization(_ isReady: Bool) -> Int {
    let value: Int
    if isReady { value = 1 }
    return value  // error
}

final class Box { var value = 1 }
func race() {
    let box = Box()
    Task { box.value += 1 }  // error
    box.value += 1
}

struct Token: ~Copyable {
    consuming func end() {}
}
func ownership(_ token: consuming Token) {  // error
    token.end()
    token.end()
}
