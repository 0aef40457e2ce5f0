import ObjectMapping

/// The files of a draft and its report.
package struct DraftFiles {
    private let manifest: String?
    private let report: String?

    /// Verifies in advance that the files can be written, before all dumps are read.
    ///
    /// - Parameters:
    ///   - manifest: The path of the manifest; `nil` if it is not written to a file.
    ///   - inputs: The dumps, which are never replaced.
    ///   - replacesManifest: Whether an existing manifest may be replaced.
    package init(
        manifest: String?, report: String?, inputs: [String], replacesManifest: Bool
    ) throws(SeedError) {
        self.manifest = manifest
        self.report = report
        var taken: [OutputPath] = []
        for path in [manifest, report].compactMap(\.self) {
            guard let target = try TextFile.place(path) else { continue }
            for other in taken {
                try target.checkDistinct(from: other, contents: "the report", others: "the manifest is")
            }
            taken.append(target)
            try target.checkFolder()
            guard let identity = FileIdentity(target.path) else { continue }
            guard !inputs.contains(where: { FileIdentity($0) == identity }) else {
                throw SeedError(
                    .cannotCreateOutput, "cannot create \(path): it is also an input",
                    advice: "Write to another file.")
            }
            if path == manifest, !replacesManifest {
                throw SeedError(
                    .cannotCreateOutput, "cannot create \(path): the file exists, and may have been edited",
                    advice: "Write to another file, or replace it with --force.")
            }
        }
    }

    /// Writes the files.
    package func write(_ draft: ManifestDraft) throws(SeedError) {
        if let manifest { try TextFile.write(draft.text, to: manifest) }
        if let report { try TextFile.write(draft.report.prettyPrinted + "\n", to: report) }
    }
}
