import ObjectMapping

/// The files of one build, complete or absent: the database, its checksum and the rejected elements.
final class SeedOutput: ElementRejecting {
    let database: OutputFile
    private let rejectsPath: OutputPath
    private let sumPath: OutputPath
    private var rejects: RejectsFile?
    private var existing: ExistingDatabase
    /// All output files, including the report.
    private var targets: [OutputPath] = []

    /// Reserves the output; throws if it cannot be created, or if another build is writing it.
    init(_ output: String, rejects: String?, report: String?) throws(SeedError) {
        database = try OutputFile(for: OutputPath(output))
        existing = ExistingDatabase(at: database.target)
        try existing.check()
        let (path, title) = (database.destination, database.title)
        rejectsPath = try OutputPath(
            rejects ?? path + ".rejects.ndjson", title: rejects ?? title + ".rejects.ndjson")
        sumPath = try OutputPath(path + ".sha256", title: title + ".sha256")
        targets = [database.target, sumPath, rejectsPath]
        if let report, let path = try TextFile.place(report) { targets.append(path) }
        let contents = [
            ("the database", "is"), ("the checksum", "is"), ("the rejected elements", "are"), ("the report", "is"),
        ]
        for (index, target) in targets.enumerated() {
            for (other, (name, verb)) in zip(targets[..<index], contents) {
                try target.checkDistinct(from: other, contents: contents[index].0, others: "\(name) \(verb)")
            }
        }
        // Verified before the database is built.
        for target in targets { try target.checkFolder() }
        try OutputFile.sweep(rejectsPath)
        try OutputFile.sweep(sumPath)
    }

    /// The name of the file with rejected elements; `nil` if no element was rejected.
    var rejectsName: String? { rejects == nil ? nil : rejectsPath.title }

    /// Throws if an output file is also an input.
    func protect(_ inputs: [String]) throws(SeedError) {
        for target in targets {
            guard let output = FileIdentity(target.path) else { continue }
            if inputs.contains(where: { FileIdentity($0) == output }) {
                throw SeedError(
                    .cannotCreateOutput, "cannot create \(target.title): it is also an input",
                    advice: "Write to another file.")
            }
        }
    }

    /// Stores a rejected element.
    func reject(_ element: @autoclosure () -> RejectRecord, for issues: [MappingIssue]) throws(SeedError) {
        if rejects == nil { rejects = try RejectsFile(at: rejectsPath) }
        try rejects?.append(element())
    }

    /// Discards what was written, because the sources are read again.
    func restart(updating: Bool) throws(SeedError) {
        rejects = nil
        try database.clear()
        if updating { _ = try copyExisting() }
    }

    /// Copies the existing output; returns false if it does not exist.
    func copyExisting() throws(SeedError) -> Bool {
        let file = Descriptor(FileSystem.open(database.destination, O_RDONLY | O_CLOEXEC))
        guard file.isOpen else {
            if errno == ENOENT { return false }
            throw .system(.inputMissing, "cannot read", database.title)
        }
        let sum = Checksum.stored(at: sumPath.path)
        if let sum {
            let actual = try Checksum(of: file, name: database.title).hex
            guard sum == actual else {
                throw SeedError(
                    .badData, "\(database.title) is damaged: it does not match its checksum in \(sumPath.title)",
                    advice: "Build it again without --update.")
            }
        }
        existing.remember(file)
        try database.descriptor.writeAll(of: file, otherName: database.title, name: database.title)
        try database.leaveWAL()
        return true
    }

    /// Moves all files to their paths.
    ///
    /// The old checksum is removed before the database is replaced, so that it never belongs to another file.
    func commit() throws(SeedError) {
        let checksum = try database.synchronize { () throws(SeedError) in
            try Checksum(of: database.descriptor, name: database.title)
        }
        // The state at the start may have changed.
        for target in [database.target, sumPath, rejectsPath] { try target.checkPlace() }
        let sum = try OutputFile(for: sumPath)
        try sum.write(checksum.line(for: database.name).utf8)
        try sum.synchronize()
        try rejects?.synchronize()
        try existing.check()
        try checkInterruption()
        try rejects?.commit()
        try commitDatabase()
        try sum.commit()
        if rejects == nil { FileSystem.remove(rejectsPath.path) }
        try Self.synchronize(folder: database.folder)
    }

    /// Moves the database to its path; if that fails, the old one keeps its checksum.
    private func commitDatabase() throws(SeedError) {
        let oldSum = "\(sumPath.folder)/\(sumPath.newStagedName())"
        let hadSum = FileSystem.move(sumPath.path, to: oldSum)
        do { try database.commit() } catch {
            if hadSum { _ = FileSystem.move(oldSum, to: sumPath.path) }
            throw error
        }
        if hadSum { FileSystem.remove(oldSum) }
    }

    /// Moves only the rejected elements to their path.
    func commitRejects() throws(SeedError) {
        try rejects?.synchronize()
        try rejects?.commit()
    }

    private static func synchronize(folder: String) throws(SeedError) {
        let descriptor = Descriptor(FileSystem.open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC))
        guard descriptor.isOpen else { throw .system(.inputOutput, "cannot write", folder) }
        try descriptor.synchronize(name: folder)
    }
}
