/// Why a file could not be opened or read.
public struct FileError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The file's path.
    public let path: String
    /// The system's error number.
    public let code: Int32
    /// What was tried, as "open" or "read".
    public let operation: String

    package init(path: String, code: Int32, operation: String) {
        self.path = path
        self.code = code
        self.operation = operation
    }

    /// The path, what was tried and the system's reason.
    public var description: String { "cannot \(operation) \(path): \(String(cString: strerror(code)))" }
}
