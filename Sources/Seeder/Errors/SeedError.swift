/// Why a seed database was not built, or not checked to its end.
///
/// `description` holds no value of a dump, so it may be logged.
public struct SeedError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What sort of thing went wrong.
    public enum Kind: String, Sendable {
        /// The manifest, the mapping or a dump is wrong.
        case badData
        /// A manifest or dump is missing or cannot be read.
        case inputMissing
        /// The output cannot be created where it was asked for.
        case cannotCreateOutput
        /// Reading or writing failed half-way, as on a full disk.
        case inputOutput
        /// The build was cancelled, or stopped by SIGINT.
        case interrupted
        /// The build was stopped by SIGTERM.
        case terminated

        /// The exit status of `seed-db` (those of sysexits.h, or 128 and the signal).
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

    /// What sort of thing went wrong.
    public let kind: Kind
    /// What went wrong, in one sentence; empty where the issues say it all.
    public let message: String
    /// Every mistake of the manifest, or of the element that ended the build, each with its place; empty where the
    /// message says it all.
    public let issues: [SeedIssue]
    /// What to do about it, in one sentence; nil where that is plain.
    public let advice: String?

    package init(_ kind: Kind, _ message: String = "", issues: [SeedIssue] = [], advice: String? = nil) {
        self.kind = kind
        self.message = message
        self.issues = issues
        self.advice = advice
    }

    /// The issues, the message and the advice, each on a line of its own; no value of a dump stands in it.
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

    /// What to do where a file does not find room.
    private static func advice(_ code: Int32) -> String? {
        switch code {
        case ENOSPC, EDQUOT: "Free some space there."
        case EFBIG: "Raise the limit of file sizes (ulimit -f)."
        default: nil
        }
    }
}

/// The system's words for an error code.
package func systemMessage(_ code: Int32) -> String { FileSystem.message(code) }
