/// An additional section of the manual page: terms and their descriptions.
struct Section: Sendable {
    let title: String
    let rows: [(label: String, text: String)]
    /// Whether `--help` includes it.
    let isInHelp: Bool

    init(_ title: String, isInHelp: Bool = false, _ rows: [(label: String, text: String)]) {
        self.title = title
        self.rows = rows
        self.isInHelp = isInHelp
    }
}
