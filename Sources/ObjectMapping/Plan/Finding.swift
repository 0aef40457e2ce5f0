/// An issue as it is noted while a plan runs: the place is an offset, everything else is worked out afterwards.
struct Finding {
    var kind: MappingIssue.Kind
    /// Bytes from the start of the text.
    var offset: Int
    var rule: Int32
    var expected: String
    var found: String
    /// The key that is absent from the object at `offset`.
    var missingKey: String?
    var suggestions: [String] = []
    var value: String?
    /// The rule where it is none of the plan's.
    var ruleName: String?
    /// The row that was being read, by `RowBuffer.openSerial`.
    var row = 0

    var isWarning: Bool { kind == .duplicateKey }
}
