import Synchronization

/// The formats of the process by extension and media type.
///
/// A response with another media type than that of its site is read with the format registered for it, for example an
/// error in another format than the records.
public enum ResourceFormats {
    private static let formats = Mutex<[any ResourceFormat]>([JSONFormat()])

    /// Registers a format, which overrides earlier ones with the same extension or media type.
    public static func register(_ format: some ResourceFormat) {
        formats.withLock { $0.insert(format, at: 0) }
    }

    /// Returns the format of a path extension, such as `json`; `nil` if it is not registered.
    public static func format(pathExtension: String) -> (any ResourceFormat)? {
        formats.withLock { formats in formats.first { $0.pathExtension == pathExtension } }
    }

    /// Returns the format of a media type without parameters, such as `application/json`; `nil` if it is not
    /// registered.
    public static func format(mimeType: String) -> (any ResourceFormat)? {
        formats.withLock { formats in formats.first { $0.mimeType == mimeType } }
    }
}
