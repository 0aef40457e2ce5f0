extension TokenTape {
    /// The tape of a text.
    ///
    /// - Throws: `DecodingError` if the text is broken or beyond the limits.
    static func checked(
        _ bytes: UnsafeRawBufferPointer, _ settings: DecodingSettings
    ) throws(DecodingError) -> TokenTape {
        let limit = min(settings.limits.byteCount, Token.longestText)
        var issue: MappingIssue?
        if bytes.count > limit {
            issue = .tooLong(bytes.count, limit: limit)
        } else if let tape = TokenTape(bytes, settings) {
            return tape
        } else {
            issue = DocumentWalker.firstIssue(in: bytes, maximumDepth: settings.limits.depth)
        }
        if !settings.hasPlaces { issue = issue?.withoutPlace }
        throw DecodingError.dataCorrupted(
            DecodingError.Context(
                codingPath: [], debugDescription: issue?.description ?? "no JSON",
                underlyingError: issue.map { MappingError($0) }))
    }
}
