extension String {
    /// The width of the text in terminal columns.
    var columns: Int { reduce(0) { $0 + $1.columns } }

    /// Returns the text shortened to a number of columns; an ellipsis marks the omission.
    func cut(to width: Int, keepingEnd: Bool) -> String {
        guard columns > width else { return self }
        var room = width - 3
        guard room > 0 else { return String(repeating: ".", count: max(0, width)) }
        func fits(_ character: Character) -> Bool {
            room -= character.columns
            return room >= 0
        }
        return keepingEnd ? "..." + String(reversed().prefix(while: fits).reversed()) : prefix(while: fits) + "..."
    }
}

extension Character {
    /// Two for wide East Asian characters and emoji, one for all others.
    fileprivate var columns: Int {
        guard let value = unicodeScalars.first?.value, value >= 0x1100 else { return 1 }
        let wide: [ClosedRange<UInt32>] = [
            0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60,
            0xFFE0...0xFFE6, 0x1F300...0x1FAFF, 0x20000...0x3FFFD,
        ]
        return wide.contains { $0.contains(value) } ? 2 : 1
    }
}
