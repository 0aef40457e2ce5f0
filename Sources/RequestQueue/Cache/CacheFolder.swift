/// Stores each response in a file of a folder: `<folder>/<2 digits>/<name>`.
///
/// Files are written under a temporary name and then renamed, so any number of processes can write and remove files
/// concurrently. A terminated process can leave a temporary file; eviction removes it after an hour. Files are not
/// flushed to the disk (`fsync`): the checksum detects damage by a power failure.
final class CacheFolder: CacheStorage {
    private struct State {
        /// The size of all files, including those of other processes, when it was last determined; `nil` before that.
        var size: Int64?
        /// The bytes written since the size was determined.
        var written: Int64 = 0
        var salt: String?
        /// Names of files that could not be removed; they are not read.
        var unremoved: Set<String> = []
        /// Name prefixes of subfolders that could not be listed during a removal.
        var unlisted: Set<String> = []
        /// Names that were stored after a subfolder could not be listed.
        var rewritten: Set<String> = []

        /// Whether the file was invalidated but not removed.
        func isInvalid(_ name: String) -> Bool {
            unremoved.contains(name)
                || !unlisted.isEmpty && !rewritten.contains(name) && unlisted.contains { name.hasPrefix($0) }
        }
    }

    /// Empty if the URL is not a file URL.
    private let path: String
    private let sizeLimit: Int64
    private let fileLimit: Int64
    private let state = Mutex(State())

    /// Sizes are rounded up to blocks, as on the disk; otherwise many small files would exceed the limit.
    private static let block: Int64 = 4096

    /// - Parameters:
    ///   - url: The URL of the folder. It is created with its parents when needed, with access for the current user
    ///     only.
    ///   - sizeLimit: The maximum size of all files in bytes.
    ///   - fileLimit: The size in bytes above which a file cannot be a stored response.
    init(at url: URL, sizeLimit: Int64, fileLimit: Int64) {
        var path = url.absoluteURL.path(percentEncoded: false)
        while path.hasSuffix("/"), path.utf8.count > 1 { path.removeLast() }
        self.path = url.isFileURL && !path.utf8.contains(0) ? path : ""
        self.sizeLimit = sizeLimit
        self.fileLimit = fileLimit
    }

    /// Random text stored in the folder and shared by all its users.
    var salt: String {
        state.withLock { state in
            if let salt = state.salt { return salt }
            let salt = storedSalt() ?? makeSalt()
            state.salt = salt
            return salt
        }
    }

    func data(of name: String, upTo limit: Int) -> Data? {
        state.withLock { $0.isInvalid(name) } ? nil : data(at: file(name), upTo: limit)
    }

    private func data(at file: String, upTo limit: Int) -> Data? {
        guard !path.isEmpty else { return nil }
        // Does not follow symbolic links, and does not block on named pipes.
        let descriptor = FileSystem.open(file, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { _ = close(descriptor) }
        guard let status = FileSystem.status(of: descriptor) else { return nil }
        // A file that cannot be a stored response is treated as damaged.
        guard status.st_mode & S_IFMT == S_IFREG, Int64(status.st_size) <= fileLimit else { return Data() }
        var data = Data(count: min(Int(clamping: status.st_size), limit))
        return Self.fill(&data, from: descriptor) ? data : Data()
    }

    func store(_ data: Data, as name: String, at now: Date) throws(TransportFailure) {
        try makeFolder("\(path)/\(name.prefix(2))")
        try write(data, to: file(name))
        touch(name, at: now)
        state.withLock { state in
            state.written += Self.blocks(Int64(data.count))
            state.unremoved.remove(name)
            if !state.unlisted.isEmpty { state.rewritten.insert(name) }
        }
    }

    private func write(_ data: Data, to path: String) throws(TransportFailure) {
        let file = try StagedFile(at: path, mode: 0o600)
        do throws(TransportFailure) {
            try file.append(data.bytes)
            try file.commit(isDurable: false)
        } catch {
            file.discard()
            throw error
        }
    }

    func touch(_ name: String, at now: Date) {
        let seconds = now.timeIntervalSince1970
        guard abs(seconds) < 1e12 else { return }
        let time = timespec(
            tv_sec: time_t(seconds.rounded(.down)), tv_nsec: Int((seconds - seconds.rounded(.down)) * 1e9))
        FileSystem.setTimes(time, at: file(name))
    }

    func remove(_ name: String) throws(TransportFailure) {
        guard !FileSystem.remove(file(name)) else { return }
        let failure = Self.failure("the file '\(file(name))' cannot be removed", errno)
        state.withLock { state in
            state.unremoved.insert(name)
            state.rewritten.remove(name)
        }
        throw failure
    }

    func removeAll(beginningWith prefix: String) throws(TransportFailure) {
        var failure: TransportFailure?
        for shard in Self.shards where shard.hasPrefix(prefix.prefix(2)) {
            do throws(TransportFailure) {
                for name in try names(in: shard) where name.hasPrefix(prefix) && CacheKey.isName(name) {
                    do throws(TransportFailure) { try remove(name) } catch { failure = error }
                }
            } catch {
                failure = error
                state.withLock { state in
                    let unlisted = prefix.isEmpty ? shard : prefix
                    state.unlisted.insert(unlisted)
                    state.rewritten = state.rewritten.filter { !$0.hasPrefix(unlisted) }
                }
            }
        }
        if let failure { throw failure }
    }

    func evict() -> Int {
        // Other processes write, too: the size is determined again whenever an eighth of the limit was written.
        let isNeeded = state.withLock { state in
            guard let size = state.size else { return true }
            return size + state.written > sizeLimit || state.written > sizeLimit / 8
        }
        guard isNeeded else { return 0 }
        state.withLock { ($0.size, $0.written) = (0, 0) }
        let uses = Self.shards.flatMap { self.uses(in: $0) }
        let victims = CacheUse.victims(among: uses, limit: sizeLimit)
        for victim in victims { try? remove(victim.name) }
        let size = CacheUse.size(of: uses) - CacheUse.size(of: victims)
        state.withLock { $0.size = size }
        return victims.count
    }

    /// Returns the files of a subfolder, and removes abandoned temporary files.
    private func uses(in shard: String) -> [CacheUse] {
        let now = Date()
        return ((try? names(in: shard)) ?? []).compactMap { name in
            let file = "\(path)/\(shard)/\(name)"
            guard let status = FileSystem.status(at: file, followsLink: false) else { return nil }
            let time = status.modificationTime
            let lastUse = Date(timeIntervalSince1970: Double(time.tv_sec) + Double(time.tv_nsec) / 1e9)
            if CacheKey.isName(name), name.hasPrefix(shard) {
                return CacheUse(name: name, size: Self.blocks(Int64(status.st_size)), lastUse: lastUse)
            }
            if StagedFile.isStaged(name) { StagingFolders.removeIfAbandoned(file, at: now) }
            return nil
        }
    }

    private func names(in shard: String) throws(TransportFailure) -> [String] {
        guard !path.isEmpty else { return [] }
        let folder = "\(path)/\(shard)"
        do { return try FileManager.default.contentsOfDirectory(atPath: folder) } catch {
            guard FileSystem.status(at: folder) != nil || errno != ENOENT else { return [] }
            throw TransportFailure(.fileNotWritable, "the folder '\(printable(folder))' cannot be listed: \(error)")
        }
    }

    private static func failure(_ what: String, _ code: Int32) -> TransportFailure {
        TransportFailure(.fileNotWritable, "\(printable(what)): \(FileSystem.message(code)) (\(code))")
    }

    /// The names of 256 subfolders, which keep the search for the files of one URL short.
    private static let shards = (0..<256).map { String($0, radix: 16).padded(to: 2) }

    private func file(_ name: String) -> String { "\(path)/\(name.prefix(2))/\(name)" }

    private func storedSalt() -> String? {
        guard let data = data(at: saltFile, upTo: .max), data.count == Self.saltLength else { return nil }
        return String(validating: data, as: UTF8.self)
    }

    private func makeSalt() -> String {
        let digits = randomHexadecimal()
        // If two processes create a salt concurrently, the later one is used. If the file cannot be written, responses
        // cannot be stored either.
        do throws(TransportFailure) {
            try makeFolder("\(path)/\(Self.shards[0])")
            try write(Data(digits.utf8), to: saltFile)
        } catch { return digits }
        return storedSalt() ?? digits
    }

    /// In a subfolder, where abandoned temporary files are removed.
    private var saltFile: String { "\(path)/\(Self.shards[0])/salt" }

    private static let saltLength = 32

    private func makeFolder(_ folder: String) throws(TransportFailure) {
        guard !path.isEmpty else {
            throw TransportFailure(.fileNotWritable, "the directory of the cache is not a valid file URL")
        }
        if Self.makeFolder(folder) { return }
        throw Self.failure("the folder '\(folder)' cannot be created", errno)
    }

    /// Creates a folder and its parents if they do not exist.
    private static func makeFolder(_ path: String) -> Bool {
        if FileSystem.makeFolder(path, mode: 0o700) || errno == EEXIST { return true }
        guard errno == ENOENT, let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")), slash > path.startIndex,
            makeFolder(String(path[..<slash]))
        else { return false }
        return FileSystem.makeFolder(path, mode: 0o700) || errno == EEXIST
    }

    private static func blocks(_ size: Int64) -> Int64 { (size + block - 1) / block * block }

    private static func fill(_ data: inout Data, from descriptor: Int32) -> Bool {
        var buffer = data.mutableBytes
        var filled = 0
        while filled < buffer.byteCount {
            var rest = buffer._mutatingExtracting(droppingFirst: filled)
            let count = FileSystem.uninterrupted { FileSystem.read(descriptor, into: &rest) }
            guard count > 0 else { return false }
            filled += count
        }
        return true
    }
}
