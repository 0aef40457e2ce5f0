/// The reason why a seed database could not be built or checked.
///
/// `description` contains no values of a dump, so it can be logged.
public struct SeedError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kinds of errors.
    public enum Kind: String, Sendable {
        /// The manifest, the mapping or a dump is invalid.
        case badData
        /// A manifest or dump is missing or cannot be read.
        case inputMissing
        /// The output cannot be created at its path.
        case cannotCreateOutput
        /// Reading or writing failed partway, for example on a full disk.
        case inputOutput
        /// The build was cancelled, or stopped by SIGINT.
        case interrupted
        /// The build was stopped by SIGTERM.
        case terminated

        /// The exit status of `seed-db`: a code of `sysexits.h`, or 128 plus the signal number.
        public var exitStatus: Int32 {
            switch self {
            case .badData: 65
            case .inputMissing: 66
            case .cannotCreateOutput: 73
            case .inputOutput: 74
            case .interrupted: 130
            case .terminated: 143
            }
        }
    }

    /// The kind of the error.
    public let kind: Kind
    /// The message, one sentence; empty if the issues are sufficient.
    public let message: String
    /// All issues of the manifest, or of the element that stopped the build, with their positions; empty if the message
    /// is sufficient.
    public let issues: [SeedIssue]
    /// How to fix the error, one sentence; `nil` if it is obvious.
    public let advice: String?

    package init(_ kind: Kind, _ message: String = "", issues: [SeedIssue] = [], advice: String? = nil) {
        self.kind = kind
        self.message = message
        self.issues = issues
        self.advice = advice
    }

    /// The issues, the message and the advice, each on a separate line.
    ///
    /// Contains no values of a dump.
    public var description: String {
        (issues.map(\.description) + [message, advice ?? ""]).filter { !$0.isEmpty }.joined(separator: "\n")
    }
}

extension SeedError {
    /// The error of a system call on a file.
    static func system(_ kind: Kind, _ action: String, _ path: String, code: Int32 = errno, advice: String? = nil)
        -> Self
    {
        SeedError(kind, "\(action) \(path): \(systemMessage(code))", advice: advice ?? Self.advice(code))
    }

    /// Returns the advice for missing space.
    private static func advice(_ code: Int32) -> String? {
        switch code {
        case ENOSPC, EDQUOT: "Free some space there."
        case EFBIG: "Raise the limit of file sizes (ulimit -f)."
        default: nil
        }
    }
}

/// The system's message for an error code.
package func systemMessage(_ code: Int32) -> String { FileSystem.message(code) }
