import Synchronization

/// The formats of the process by their extensions and media types.
///
/// A response of another media type than its site's is read by the format that is registered for it, such as an error in
/// another form than the records.
public enum ResourceFormats {
    private static let formats = Mutex<[any ResourceFormat]>([JSONFormat()])

    /// Registers a format; it precedes others with the same extension or media type.
    public static func register(_ format: some ResourceFormat) {
        formats.withLock { $0.insert(format, at: 0) }
    }

    /// The format of a path extension, such as `json`; `nil` if none is registered.
    public static func format(pathExtension: String) -> (any ResourceFormat)? {
        formats.withLock { formats in formats.first { $0.pathExtension == pathExtension } }
    }

    /// The format of a media type without parameters, such as `application/json`; `nil` if none is registered.
    public static func format(mimeType: String) -> (any ResourceFormat)? {
        formats.withLock { formats in formats.first { $0.mimeType == mimeType } }
    }
}
