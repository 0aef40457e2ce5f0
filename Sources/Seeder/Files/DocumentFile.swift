package import ObjectMapping

/// A JSON file that is read whole.
package struct DocumentFile {
    package let json: JSON

    /// Reads a file, or standard input for `-`, either may be gzip; broken JSON is an error with its place.
    package init(_ path: String) throws(SeedError) {
        let name = inputName(path)
        let bytes = try Gzip.text(of: try readBytes(of: path), name: name)
        do { json = try JSON(bytes) } catch {
            let issues = error.issues.map { issue in
                SeedIssue(issue, file: name, excerpt: SourceExcerpt(bytes: bytes, offset: issue.offset))
            }
            throw SeedError(.badData, issues: issues)
        }
    }
}
