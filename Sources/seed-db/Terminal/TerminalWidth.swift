/// How many columns a terminal has: what COLUMNS says, else the terminal itself, else 80.
func terminalWidth(of descriptor: Int32) -> Int {
    // Narrower than any word nothing can be laid out.
    max(20, environmentWidth ?? windowWidth(of: descriptor) ?? 80)
}

/// How many columns a line may have that is to be erased: never more than the window, where it would wrap.
func barWidth(of descriptor: Int32) -> Int {
    min(environmentWidth ?? .max, windowWidth(of: descriptor) ?? environmentWidth ?? 80)
}

/// What COLUMNS says; nil if that is no number of columns.
private var environmentWidth: Int? { environment("COLUMNS").flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil } }
