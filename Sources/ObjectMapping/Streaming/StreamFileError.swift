/// Why a file cannot be streamed.
public struct StreamFileError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The file.
    public let url: URL
    /// The cause, as "No such file or directory".
    public let cause: String

    init(url: URL, cause: String) {
        self.url = url
        self.cause = cause
    }

    /// The cause that the system's error number stands for.
    init(url: URL, code: Int32) {
        self.init(url: url, cause: strerror(code).map { String(cString: $0) } ?? "error \(code)")
    }

    /// The file and the cause.
    public var description: String { "\(url.isFileURL ? url.path : url.absoluteString): \(cause)" }
}
