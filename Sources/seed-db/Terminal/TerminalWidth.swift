/// Returns the width of a terminal: COLUMNS, the width of the window, or 80.
func terminalWidth(of descriptor: Int32) -> Int {
    // A minimum width is required for the layout.
    max(20, environmentWidth ?? windowWidth(of: descriptor) ?? 80)
}

/// Returns the maximum length of a line that can be erased: not more than the window, in which it would wrap.
func barWidth(of descriptor: Int32) -> Int {
    min(environmentWidth ?? .max, windowWidth(of: descriptor) ?? environmentWidth ?? 80)
}

/// The value of COLUMNS; `nil` if it is not a number of columns.
private var environmentWidth: Int? { environment("COLUMNS").flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil } }
