/// File functions of the system, for paths and descriptors; on failure, they set `errno`.
///
/// A signal interrupts them with `EINTR`, so that a program can end while it waits; see `uninterrupted`.
///
/// Safe: strings are passed as NUL-terminated texts that last for the call, and buffers with their own length.
package enum FileSystem {
    /// Opens a file; returns -1 on failure.
    package static func open(_ path: String, _ flags: Int32, mode: mode_t = 0) -> Int32 {
        systemOpen(path, flags, mode)
    }

    /// Reads into a buffer at the position of a descriptor; returns 0 at the end, and -1 on failure.
    package static func read(_ descriptor: Int32, into buffer: inout MutableRawSpan) -> Int {
        unsafe buffer.withUnsafeMutableBytes { unsafe systemRead(descriptor, $0.baseAddress, $0.count) }
    }

    /// Reads into a buffer from an offset of a file; returns 0 at the end, and -1 on failure.
    package static func read(_ descriptor: Int32, into buffer: inout MutableRawSpan, at offset: Int64) -> Int {
        unsafe buffer.withUnsafeMutableBytes {
            unsafe pread(descriptor, $0.baseAddress, min($0.count, transferLimit), off_t(offset))
        }
    }

    /// Writes some of the bytes; returns -1 on failure.
    package static func write(_ descriptor: Int32, _ bytes: RawSpan) -> Int {
        unsafe bytes.withUnsafeBytes { unsafe systemWrite(descriptor, $0.baseAddress, $0.count) }
    }

    /// Writes all of the bytes, continuing after signals; returns false on failure.
    package static func writeAll(_ descriptor: Int32, _ bytes: RawSpan) -> Bool {
        var rest = bytes
        while !rest.isEmpty {
            let count = uninterrupted { write(descriptor, rest) }
            guard count >= 0 else { return false }
            rest = rest.extracting(droppingFirst: count)
        }
        return true
    }

    /// Waits until the bytes of a file, or the names in a folder, are on the disk; returns the error number, or 0.
    ///
    /// Devices, pipes and some file systems do not support it.
    package static func synchronize(_ descriptor: Int32) -> Int32 {
        guard !flushToDisk(descriptor), fsync(descriptor) != 0, errno != EINVAL, errno != ENOTSUP else { return 0 }
        return errno
    }

    /// Repeats a call as long as a signal interrupts it.
    package static func uninterrupted<Result: SignedInteger>(_ call: () -> Result) -> Result {
        while true {
            let result = call()
            if result >= 0 || errno != EINTR { return result }
        }
    }

    /// Returns the status of an open file; `nil` on failure.
    package static func status(of descriptor: Int32) -> stat? {
        var status = stat()
        return unsafe fstat(descriptor, &status) == 0 ? status : nil
    }

    /// Returns the status of the file at a path; `nil` on failure.
    ///
    /// - Parameter followsLink: Whether the status of a link's target is returned. Defaults to `true`.
    package static func status(at path: String, followsLink: Bool = true) -> stat? {
        var status = stat()
        // Without a copy of the path.
        let result = unsafe path.withCString { unsafe followsLink ? stat($0, &status) : lstat($0, &status) }
        return result == 0 ? status : nil
    }

    /// Returns whether this process has an access mode for a path, such as `R_OK`.
    package static func allows(_ mode: Int32, at path: String) -> Bool { unsafe access(path, mode) == 0 }

    /// Creates a folder; returns false on failure.
    package static func makeFolder(_ path: String, mode: mode_t) -> Bool { unsafe mkdir(path, mode) == 0 }

    /// Removes a file.
    ///
    /// - Returns: Whether the file no longer exists; otherwise `errno` has the cause.
    @discardableResult
    package static func remove(_ path: String) -> Bool { unsafe unlink(path) == 0 || errno == ENOENT }

    /// Renames a file, replacing an existing file with the new name; returns false on failure.
    package static func move(_ path: String, to other: String) -> Bool { unsafe rename(path, other) == 0 }

    /// Sets the access and modification times of the file at a path, without following links.
    package static func setTimes(_ time: timespec, at path: String) {
        _ = unsafe utimensat(AT_FDCWD, path, [time, time], AT_SYMLINK_NOFOLLOW)
    }

    /// Returns a path without links; `nil` if the file does not exist.
    package static func resolved(_ path: String) -> String? {
        guard let resolved = unsafe realpath(path, nil) else { return nil }
        defer { unsafe free(resolved) }
        return unsafe String(cString: resolved)
    }

    /// Returns whether another process holds a lock that prevents reading some bytes of a file.
    package static func isWriteLocked(_ descriptor: Int32, at start: off_t, count: off_t) -> Bool {
        var lock = flock()
        lock.l_type = Int16(F_RDLCK)
        lock.l_whence = Int16(SEEK_SET)
        (lock.l_start, lock.l_len) = (start, count)
        return unsafe fcntl(descriptor, F_GETLK, &lock) == 0 && lock.l_type == Int16(F_WRLCK)
    }

    /// Waits for input; returns the events that occurred, 0 after a timeout.
    package static func waitForInput(_ descriptor: Int32, milliseconds: Int32) -> Int32 {
        var event = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return unsafe poll(&event, 1, milliseconds) > 0 ? Int32(event.revents) : 0
    }

    /// Returns the system's message for an error number.
    package static func message(_ code: Int32) -> String { unsafe String(cString: strerror(code)) }
}

/// The maximum number of bytes of a call: Apple's systems reject more with `EINVAL`, instead of transferring a part.
private let transferLimit = Int(Int32.max)

// `open`, `read` and `write`, whose names are hidden inside the type.
private func systemOpen(_ path: String, _ flags: Int32, _ mode: mode_t) -> Int32 { unsafe open(path, flags, mode) }
private func systemRead(_ descriptor: Int32, _ start: UnsafeMutableRawPointer?, _ count: Int) -> Int {
    unsafe read(descriptor, start, min(count, transferLimit))
}
private func systemWrite(_ descriptor: Int32, _ start: UnsafeRawPointer?, _ count: Int) -> Int {
    unsafe write(descriptor, start, min(count, transferLimit))
}
