/// A place where a file can be put.
struct OutputPath {
    /// The folder and the name, links resolved.
    let path: String
    let folder: String
    let name: String

    /// Checks that a file may be put at a path, whether or not one stands there; throws `cannotCreateOutput`.
    init(_ destination: String) throws(SeedError) {
        var status = stat()
        let exists = stat(destination, &status) == 0
        guard !exists || status.st_mode & S_IFMT == S_IFREG else {
            let isFolder = status.st_mode & S_IFMT == S_IFDIR
            throw SeedError(
                .cannotCreateOutput, "cannot create \(destination): it is \(isFolder ? "a folder" : "no regular file")",
                advice: "Name a file to write.")
        }
        // The target of a link is replaced, not the link.
        let target = exists ? Self.resolved(destination) ?? destination : destination
        let slash = target.lastIndex(of: "/")
        let parent = slash.map { $0 == target.startIndex ? "/" : String(target[..<$0]) } ?? "."
        name = slash.map { String(target[target.index(after: $0)...]) } ?? target
        guard !name.isEmpty, let folder = Self.resolved(parent) else {
            let code = name.isEmpty ? ENOENT : errno
            throw .system(
                .cannotCreateOutput, "cannot create", destination, code: code,
                advice: code == ENOENT ? "The folder \(parent) does not exist; create it first." : nil)
        }
        self.folder = folder
        path = folder == "/" ? "/" + name : folder + "/" + name
    }

    /// Whether a name in the folder is that of a staged file of this destination, or of a journal of one.
    func isStaged(_ other: String) -> Bool {
        let prefix = ".\(name)."
        guard other.utf8.starts(with: prefix.utf8) else { return false }
        let rest = other.utf8.dropFirst(prefix.utf8.count)
        let number = rest.prefix(16)
        return number.count == 16
            && number.allSatisfy {
                UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 || UInt8(ascii: "a")...UInt8(ascii: "f") ~= $0
            }
            && rest.dropFirst(16).starts(with: ".tmp".utf8)
    }

    func advice(_ code: Int32) -> String? {
        switch code {
        case EACCES, EROFS, EPERM:
            "The folder \(folder) cannot be written to; choose another or change its permissions."
        default: nil
        }
    }

    private static func resolved(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }
}
