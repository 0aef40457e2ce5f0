/// An issue of a serialization as it is noted: the place is an offset of the text, whose path is worked out afterwards.
struct WritingFinding {
    var kind: MappingIssue.Kind
    /// Bytes from the start of the text.
    var offset: Int
    /// Where in the value that should stand there.
    var path: [JSONPathStep]
    var rule: Int32
    var expected: String
    var found: String
}
