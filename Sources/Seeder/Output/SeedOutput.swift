import ObjectMapping

/// The files of one build, complete or absent: the database, its checksum and the rejected elements.
final class SeedOutput {
    let database: StagedFile
    private let rejectsPath: OutputPath
    /// As the rejects file is called in messages.
    private let rejectsTitle: String
    private var rejects: RejectsFile?

    /// Reserves the output; throws if it cannot be created or another build is writing it.
    init(_ output: String, rejects: String?) throws(SeedError) {
        database = try StagedFile(for: output)
        rejectsTitle = rejects ?? output + ".rejects.ndjson"
        rejectsPath = try OutputPath(rejects ?? database.destination + ".rejects.ndjson")
        try StagedFile.sweep(rejectsPath)
        try StagedFile.sweep(OutputPath(sumPath))
    }

    /// Where the rejected elements will stand; nil if there are none.
    var rejectsName: String? { rejects == nil ? nil : rejectsTitle }

    /// Throws if one of the files to be written is one of those to be read.
    func protect(_ inputs: [String]) throws(SeedError) {
        for (path, title) in [
            (database.destination, database.title), (rejectsPath.path, rejectsTitle), (sumPath, sumTitle),
        ] {
            guard let output = FileIdentity(path) else { continue }
            if inputs.contains(where: { FileIdentity($0) == output }) {
                throw SeedError(
                    .cannotCreateOutput, "cannot create \(title): it is read as an input",
                    advice: "Write to another file.")
            }
        }
    }

    /// Keeps an element that was not stored.
    func reject(_ element: RejectedElement) throws(SeedError) {
        if rejects == nil { rejects = try RejectsFile(at: rejectsPath.path) }
        try rejects?.append(element)
    }

    /// Forgets what was written so far: the sources are read again.
    func restart(updating: Bool) throws(SeedError) {
        rejects = nil
        try database.clear()
        if updating { _ = try copyExisting() }
    }

    /// Starts from the existing output; false if there is none.
    func copyExisting() throws(SeedError) -> Bool {
        let existing = Descriptor(open(database.destination, O_RDONLY | O_CLOEXEC))
        guard existing.isOpen else {
            if errno == ENOENT { return false }
            throw .system(.inputMissing, "cannot read", database.title)
        }
        let sum = Checksum.stored(at: sumPath)
        if let sum {
            let actual = try Checksum(of: existing, name: database.title).hex
            guard sum == actual else {
                throw SeedError(
                    .badData, "\(database.title) is damaged: it does not match \(sumTitle)",
                    advice: "Build it anew, without --update.")
            }
        }
        try database.descriptor.writeAll(of: existing, otherName: database.title, name: database.title)
        return true
    }

    /// Puts every file in its place.
    ///
    /// The old sum goes before the database comes, so that no sum ever lies.
    func commit() throws(SeedError) {
        try database.synchronize()
        let checksum = try Checksum(of: database.descriptor, name: database.title)
        let sum = try StagedFile(for: sumPath)
        try sum.write(checksum.line(for: database.name).utf8)
        try sum.synchronize()
        try rejects?.synchronize()
        try checkInterruption()
        try rejects?.commit()
        unlink(sumPath)
        try database.commit()
        try sum.commit()
        if rejects == nil { unlink(rejectsPath.path) }
        try Self.synchronize(folder: database.folder)
    }

    /// Puts only the rejected elements in their place.
    func commitRejects() throws(SeedError) {
        try rejects?.synchronize()
        try rejects?.commit()
    }

    private var sumTitle: String { database.title + ".sha256" }
    private var sumPath: String { database.destination + ".sha256" }

    private static func synchronize(folder: String) throws(SeedError) {
        let descriptor = Descriptor(open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC))
        guard descriptor.isOpen else { throw .system(.inputOutput, "cannot write", folder) }
        try descriptor.synchronize(name: folder)
    }
}
