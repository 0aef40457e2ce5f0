/// How many columns a terminal has: what COLUMNS says, else the terminal itself, else 80.
func terminalWidth(of descriptor: Int32) -> Int {
    // Narrower than any word nothing can be laid out.
    max(20, environmentWidth ?? windowWidth(of: descriptor) ?? 80)
}

/// How many columns a line may have that is to be erased: never more than the window, where it would wrap.
func barWidth(of descriptor: Int32) -> Int {
    min(environmentWidth ?? .max, windowWidth(of: descriptor) ?? environmentWidth ?? 80)
}

/// A variable of the environment; nil if it is not set or empty.
func environment(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
}

/// What COLUMNS says; nil if that is no number of columns.
private var environmentWidth: Int? { environment("COLUMNS").flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil } }

/// The columns of the window that a terminal is shown in; nil if nobody knows.
private func windowWidth(of descriptor: Int32) -> Int? {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
}
