/// A place where a file can be put.
struct OutputPath {
    /// The path as it was given, for messages.
    let title: String
    /// The folder and the name, links resolved.
    let path: String
    let folder: String
    let name: String

    /// Checks that a file may be put at a path, whether or not one stands there; throws `cannotCreateOutput`.
    ///
    /// - Parameter title: The path as messages show it; as given by default.
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

    /// Throws if something other than a file stands in the place, or the folder is not there any more.
    func checkPlace() throws(SeedError) {
        _ = try Self.check(path, title: title)
        guard FileSystem.allows(F_OK, at: folder) else {
            throw .system(
                .cannotCreateOutput, "cannot create", title,
                advice: "The folder \(folder) was removed; create it and build again.")
        }
    }

    /// Throws if no file can be made in the folder.
    func checkFolder() throws(SeedError) {
        guard FileSystem.allows(W_OK | X_OK, at: folder) else {
            throw .system(.cannotCreateOutput, "cannot create", title, advice: advice(errno))
        }
    }

    /// Whether a file stands at a path; throws if something else does.
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

    /// Where a link leads whose target is not there; a path that is no link leads to itself.
    private static func target(ofLink path: String) -> String {
        guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: path) else { return path }
        let folder = path.lastIndex(of: "/").map { path[...$0] } ?? ""
        return Self.target(ofLink: target.hasPrefix("/") ? target : folder + target)
    }

    /// The name of the staged file of this destination that a name in the folder is, or begins with; nil for other files.
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

    /// A new name for a staged file.
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
