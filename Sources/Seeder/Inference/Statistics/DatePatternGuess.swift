import ObjectMapping

/// A format of dates that is common in dumps.
struct DatePatternGuess {
    /// The format in the manifest, such as `MM/dd/yyyy`.
    let text: String
    private let format: DateFormat

    /// Patterns of which at most one matches a text, apart from swapped days and months.
    static let all: [DatePatternGuess] = {
        let dates = ["MM/dd/yyyy", "dd/MM/yyyy", "dd.MM.yyyy", "MM-dd-yyyy", "dd-MM-yyyy", "yyyy/MM/dd"]
        return dates.flatMap { date in ["", " HH:mm", " HH:mm:ss"].map { DatePatternGuess(date + $0) } }
    }()

    private init(_ text: String) {
        self.text = text
        format = .pattern(text)
    }

    func matches(_ text: String) -> Bool { text.utf8.count == self.text.utf8.count && format.date(of: text) != nil }
}
