extension String {
    /// Returns the text with trailing spaces up to a width.
    func padding(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }

    /// Returns the text with leading spaces up to a width.
    func paddingLeft(to width: Int) -> String { String(repeating: " ", count: max(0, width - count)) + self }
}

/// Returns a number and its noun: `1 row`, `12,000 rows`.
func counted(_ count: Int, _ noun: String, _ plural: String? = nil) -> String {
    "\(grouped(count)) \(count == 1 ? noun : plural ?? noun + "s")"
}

/// Returns a number with thousands separators.
func grouped(_ number: Int) -> String {
    let digits = String(number)
    return digits.enumerated().reduce(into: "") { text, digit in
        if digit.offset > 0, (digits.count - digit.offset) % 3 == 0 { text += "," }
        text.append(digit.element)
    }
}

/// Returns a size with a suitable unit: `512 bytes`, `24.6 kB`, `1.2 MB`.
func sized(_ bytes: Int) -> String {
    switch bytes {
    case ..<1000: counted(bytes, "byte")
    case ..<1_000_000: decimal(Double(bytes) / 1e3, places: 1) + " kB"
    case ..<1_000_000_000: decimal(Double(bytes) / 1e6, places: 1) + " MB"
    default: decimal(Double(bytes) / 1e9, places: 1) + " GB"
    }
}

/// Returns a number with a number of decimal places.
func decimal(_ number: Double, places: Int) -> String {
    let scale = (0..<places).reduce(1.0) { scale, _ in scale * 10 }
    let scaled = String(Int((number * scale).rounded()))
    let digits = String(repeating: "0", count: max(0, places + 1 - scaled.count)) + scaled
    return "\(digits.dropLast(places)).\(digits.suffix(places))"
}
