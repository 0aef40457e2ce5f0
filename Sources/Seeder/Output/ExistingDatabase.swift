/// The database that a build replaces or updates, which other programs may have open.
///
/// A reader keeps the old file; on Apple platforms, its next statement fails. A writer would write to a deleted file, and
/// the changes in SQLite's files next to the database would be applied to the new one and damage it.
struct ExistingDatabase {
    private let target: OutputPath
    /// The state of the file when its rows were copied; `nil` if they were not.
    private var copied: FileStamp?

    init(at target: OutputPath) { self.target = target }

    /// Records the starting point of an update.
    mutating func remember(_ file: Descriptor) { copied = file.status.map(FileStamp.init) }

    /// Throws if a program is writing to the database, crashed while writing, or has changed it since it was copied.
    func check() throws(SeedError) {
        for (suffix, isLeft) in [("-journal", isHot(target.path + "-journal")), ("-wal", isUsed(target.path + "-wal"))]
        where isLeft {
            throw SeedError(
                .cannotCreateOutput,
                "cannot replace \(target.title): another program is writing to it, or did not close it "
                    + "(found \(target.name + suffix))",
                advice: "Close that program. If it has ended, run: sqlite3 \(target.title) 'PRAGMA schema_version'. "
                    + "SQLite then applies or undoes the changes in \(target.name + suffix) and removes that file.")
        }
        let file = Descriptor(FileSystem.open(target.path, O_RDONLY | O_NONBLOCK | O_CLOEXEC))
        if isBeingWritten(file) {
            throw SeedError(
                .cannotCreateOutput, "cannot replace \(target.title): another program is writing to it",
                advice: "Close that program, or write to another file.")
        }
        if let copied, file.status.map({ FileStamp($0) != copied }) ?? true {
            throw SeedError(
                .cannotCreateOutput, "cannot replace \(target.title): it was changed after the update started",
                advice: "Build again.")
        }
    }

    /// Whether a write-ahead log contains changes; Apple's SQLite keeps an empty one when the database is closed.
    private func isUsed(_ log: String) -> Bool { FileSystem.status(at: log).map { $0.st_size > 0 } ?? false }

    /// Whether a journal belongs to an unfinished transaction; such a journal does not start with zero.
    private func isHot(_ journal: String) -> Bool {
        let file = Descriptor(FileSystem.open(journal, O_RDONLY | O_NONBLOCK | O_CLOEXEC))
        var first: [UInt8] = [0]
        return file.isOpen && first.withMutableRawSpan { FileSystem.read(file.number, into: &$0, at: 0) } == 1
            && first[0] != 0
    }

    /// Whether another process holds a write lock of SQLite.
    private func isBeingWritten(_ file: Descriptor) -> Bool {
        file.isOpen && FileSystem.isWriteLocked(file.number, at: 0x4000_0000, count: 512)
    }
}
