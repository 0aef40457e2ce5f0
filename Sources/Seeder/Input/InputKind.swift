/// The type of file at an input path.
enum InputKind {
    /// A regular file.
    case file
    /// A named pipe, or one created by a shell (`<(…)`).
    case pipe

    /// Checks without opening the file: otherwise the writer of a pipe would lose its reader.
    init(of path: String, name: String) throws(SeedError) {
        guard !path.utf8.contains(0) else {
            throw SeedError(.inputMissing, "the name of a file cannot contain a NUL character")
        }
        guard let status = FileSystem.status(at: path), FileSystem.allows(R_OK, at: path) else {
            throw .system(.inputMissing, "cannot read", name)
        }
        switch status.st_mode & S_IFMT {
        case S_IFREG: self = .file
        case S_IFIFO: self = .pipe
        case S_IFDIR: throw .system(.inputMissing, "cannot read", name, code: EISDIR)
        default:
            // A device may have no end, and a socket cannot be opened.
            throw SeedError(.inputMissing, "cannot read \(name): it is not a file or pipe")
        }
    }
}
