import ObjectMapping

/// The files of one build, complete or absent: the database, its checksum and the rejected elements.
final class SeedOutput {
    let database: StagedFile
    private let rejectsPath: OutputPath
    private var rejects: RejectsFile?

    /// Reserves the output; throws if it cannot be created or another build is writing it.
    init(_ output: String, rejects: String?) throws(SeedError) {
        database = try StagedFile(for: output)
        rejectsPath = try OutputPath(rejects ?? database.destination + ".rejects.ndjson")
        try StagedFile.sweep(rejectsPath)
        try StagedFile.sweep(OutputPath(sumPath))
    }

    /// The folder of the output.
    var folder: String { rejectsPath.folder }

    /// Where the rejected elements will stand; nil if there are none.
    var rejectsName: String? { rejects == nil ? nil : rejectsPath.path }

    /// Keeps an element that was not stored.
    func reject(_ element: RejectedElement) throws(SeedError) {
        let file = try rejects ?? RejectsFile(at: rejectsPath.path)
        rejects = file
        try file.append(element)
    }

    /// Forgets the elements rejected so far: the sources are read again.
    func restart() { rejects = nil }

    /// Starts from the existing output; false if there is none.
    func copyExisting() throws(SeedError) -> Bool {
        let existing = Descriptor(open(database.destination, O_RDONLY | O_CLOEXEC))
        guard existing.isOpen else {
            if errno == ENOENT { return false }
            throw .system(.inputMissing, "cannot read", database.destination)
        }
        if let sum = Checksum.stored(at: sumPath), try sum != Checksum(of: existing, name: database.destination).hex {
            throw SeedError(
                .badData, "\(database.destination) is damaged: it does not match \(sumPath)",
                advice: "Build it anew, without --update.")
        }
        try database.descriptor.writeAll(of: existing, otherName: database.destination, name: database.destination)
        return true
    }

    /// Puts every file in its place. The old sum goes before the database comes, so that no sum ever lies.
    func commit() throws(SeedError) {
        try database.synchronize()
        let checksum = try Checksum(of: database.descriptor, name: database.destination)
        let sum = try StagedFile(for: sumPath)
        try sum.write(checksum.line(for: database.name))
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

    private var sumPath: String { database.destination + ".sha256" }

    private static func synchronize(folder: String) throws(SeedError) {
        let descriptor = Descriptor(open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC))
        guard descriptor.isOpen else { throw .system(.inputOutput, "cannot write", folder) }
        try descriptor.synchronize(name: folder)
    }
}
