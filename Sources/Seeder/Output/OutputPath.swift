/// The location of an output file.
struct OutputPath {
    /// The path as specified, for messages.
    let title: String
    /// The folder and the name, with links resolved.
    let path: String
    let folder: String
    let name: String

    /// Verifies that a file can be created or replaced at a path; throws `cannotCreateOutput`.
    ///
    /// - Parameter title: The path in messages. Defaults to the path as specified.
    init(_ destination: String, title: String? = nil) throws(SeedError) {
        self.title = title ?? destination
        // The target of a link is replaced, not the link.
        let exists = try Self.check(destination, title: self.title)
        let target = exists ? FileSystem.resolved(destination) ?? destination : Self.target(ofLink: destination)
        let slash = target.lastIndex(of: "/")
        let parent = slash.map { $0 == target.startIndex ? "/" : String(target[..<$0]) } ?? "."
        name = slash.map { String(target[target.index(after: $0)...]) } ?? target
        guard !name.isEmpty, let folder = FileSystem.resolved(parent) else {
            let code = name.isEmpty ? ENOENT : errno
            throw .system(
                .cannotCreateOutput, "cannot create", self.title, code: code,
                advice: code == ENOENT ? "The folder \(parent) does not exist; create it first." : nil)
        }
        self.folder = folder
        path = folder == "/" ? "/" + name : folder + "/" + name
    }

    /// Throws if the path is not a file, or if the folder no longer exists.
    func checkPlace() throws(SeedError) {
        _ = try Self.check(path, title: title)
        guard FileSystem.allows(F_OK, at: folder) else {
            throw .system(
                .cannotCreateOutput, "cannot create", title,
                advice: "The folder \(folder) was removed; create it and build again.")
        }
    }

    /// Throws if another output is the same file, also if the file system ignores the case or Unicode form of names.
    ///
    /// - Parameters:
    ///   - contents: What is written to this path, such as `the report`.
    ///   - others: What is written to the other path, with a verb, such as `the database is`.
    func checkDistinct(from other: OutputPath, contents: String, others: String) throws(SeedError) {
        guard name.lowercased() == other.name.lowercased(), FileIdentity(folder) == FileIdentity(other.folder) else {
            return
        }
        throw SeedError(
            .cannotCreateOutput, "cannot write \(contents) to \(title): \(others) written there",
            advice: "Name another file"
                + (name.utf8.elementsEqual(other.name.utf8) ? "." : ": many file systems ignore case and Unicode form.")
        )
    }

    /// Throws if no file can be created in the folder.
    func checkFolder() throws(SeedError) {
        guard FileSystem.allows(W_OK | X_OK, at: folder) else {
            throw .system(.cannotCreateOutput, "cannot create", title, advice: advice(errno))
        }
    }

    /// Whether a file exists at a path; throws if it is not a file.
    private static func check(_ path: String, title: String) throws(SeedError) -> Bool {
        guard let status = FileSystem.status(at: path) else {
            if errno == ELOOP { throw .system(.cannotCreateOutput, "cannot create", title) }
            return false
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            let isFolder = status.st_mode & S_IFMT == S_IFDIR
            throw SeedError(
                .cannotCreateOutput, "cannot create \(title): it is \(isFolder ? "a folder" : "not a regular file")",
                advice: "Name a file to write.")
        }
        return true
    }

    /// Returns the missing target of a link; for other paths, the path itself.
    private static func target(ofLink path: String) -> String {
        guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: path) else { return path }
        let folder = path.lastIndex(of: "/").map { path[...$0] } ?? ""
        return Self.target(ofLink: target.hasPrefix("/") ? target : folder + target)
    }

    /// Returns the name of the staged file for this destination that is a prefix of a name in the folder; `nil` for
    /// other files.
    func stagedName(in other: String) -> String? {
        let prefix = ".\(name)."
        let suffix = ".tmp"
        let length = prefix.utf8.count + Self.randomLength + suffix.utf8.count
        let owner = other.utf8.prefix(length)
        guard owner.count == length, owner.starts(with: prefix.utf8) else { return nil }
        let rest = owner.dropFirst(prefix.utf8.count)
        guard rest.prefix(Self.randomLength).allSatisfy(Self.isHexadecimal),
            rest.dropFirst(Self.randomLength).elementsEqual(suffix.utf8)
        else { return nil }
        return String(owner)
    }

    /// Returns a new name for a staged file.
    func newStagedName() -> String {
        let number = String(UInt64.random(in: .min ... .max), radix: 16)
        return ".\(name).\(String(repeating: "0", count: Self.randomLength - number.count))\(number).tmp"
    }

    private static let randomLength = 16

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || UInt8(ascii: "a")...UInt8(ascii: "f") ~= byte
    }

    func advice(_ code: Int32) -> String? {
        switch code {
        case EACCES, EROFS, EPERM:
            "The folder \(folder) cannot be written to; choose another or change its permissions."
        default: nil
        }
    }
}
