/// MIME types by file name, from the Shared MIME-info Database if installed, otherwise from a table of common types.
package struct MIMETypes: Sendable {
    package static let shared = MIMETypes(
        globs: try? Data(contentsOf: URL(fileURLWithPath: "/usr/share/mime/globs2")))

    /// The type of arbitrary bytes.
    package static let unknown = "application/octet-stream"

    /// Types by file extension, in lowercase except for case-sensitive patterns.
    private var types: [String: String]

    /// Creates the types.
    ///
    /// - Parameter globs: A file in the format `globs2` of the Shared MIME-info Database: lines of
    ///   `weight:type:*.extension`, with `:cs` if it is case-sensitive. `nil` uses only the table of common types.
    package init(globs: Data?) {
        types = Self.common
        guard let globs else { return }
        var weights: [String: Int] = [:]
        for line in String(decoding: globs, as: UTF8.self).split(separator: "\n") where !line.hasPrefix("#") {
            let fields = line.split(separator: ":")
            guard fields.count >= 3, let weight = Int(fields[0]), fields[2].hasPrefix("*.") else { continue }
            let pattern = fields[2].dropFirst(2)
            guard !pattern.isEmpty, !pattern.contains(where: { "*?[".contains($0) }) else { continue }
            let isCased = fields.count > 3 && fields[3].split(separator: ",").contains("cs")
            let key = isCased ? String(pattern) : pattern.lowercased()
            // For equal weights, the type in the table wins, because the order of the file has no meaning.
            let known = weights[key] ?? -1
            guard weight > known || weight == known && Self.common[key] == String(fields[1]) else { continue }
            weights[key] = weight
            types[key] = String(fields[1])
        }
    }

    /// The type for a file name, by its longest known extension; `application/octet-stream` by default.
    package subscript(fileName name: String) -> String {
        var rest = name[...]
        while let dot = rest.firstIndex(of: ".") {
            rest = rest[rest.index(after: dot)...]
            if let type = types[String(rest)] ?? types[rest.lowercased()] { return type }
        }
        return Self.unknown
    }
}

extension MIMETypes {
    /// Common types by file extension, as registered by IANA where possible.
    static let common: [String: String] = [
        "3gp": "video/3gpp", "7z": "application/x-7z-compressed", "aac": "audio/aac", "aiff": "audio/x-aiff",
        "amr": "audio/AMR", "apk": "application/vnd.android.package-archive", "avi": "video/x-msvideo",
        "avif": "image/avif", "bmp": "image/bmp", "bz2": "application/x-bzip2", "caf": "audio/x-caf",
        "conf": "text/plain", "css": "text/css", "csv": "text/csv", "diff": "text/x-diff", "dng": "image/x-adobe-dng",
        "doc": "application/msword",
        "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        "eml": "message/rfc822", "epub": "application/epub+zip", "flac": "audio/flac",
        "geojson": "application/geo+json", "gif": "image/gif", "glb": "model/gltf-binary", "gltf": "model/gltf+json",
        "gpx": "application/gpx+xml", "gz": "application/gzip", "heic": "image/heic", "heif": "image/heif",
        "htm": "text/html", "html": "text/html", "ico": "image/vnd.microsoft.icon", "ics": "text/calendar",
        "ini": "text/plain", "jar": "application/java-archive", "jpeg": "image/jpeg", "jpg": "image/jpeg",
        "js": "text/javascript", "json": "application/json", "jsonl": "application/x-ndjson",
        "jsonld": "application/ld+json", "key": "application/vnd.apple.keynote",
        "kml": "application/vnd.google-earth.kml+xml", "log": "text/plain", "m3u8": "application/vnd.apple.mpegurl",
        "m4a": "audio/mp4", "m4v": "video/mp4", "md": "text/markdown", "mid": "audio/midi", "midi": "audio/midi",
        "mjs": "text/javascript", "mkv": "video/x-matroska", "mov": "video/quicktime", "mp3": "audio/mpeg",
        "mp4": "video/mp4", "mpeg": "video/mpeg", "mpg": "video/mpeg", "ndjson": "application/x-ndjson",
        "numbers": "application/vnd.apple.numbers", "odp": "application/vnd.oasis.opendocument.presentation",
        "ods": "application/vnd.oasis.opendocument.spreadsheet", "odt": "application/vnd.oasis.opendocument.text",
        "oga": "audio/ogg", "ogg": "audio/ogg", "ogv": "video/ogg", "opus": "audio/ogg", "otf": "font/otf",
        "pages": "application/vnd.apple.pages", "patch": "text/x-diff", "pdf": "application/pdf", "png": "image/png",
        "ppt": "application/vnd.ms-powerpoint",
        "pptx": "application/vnd.openxmlformats-officedocument.presentationml.presentation",
        "ps": "application/postscript", "psd": "image/vnd.adobe.photoshop", "rar": "application/vnd.rar",
        "rtf": "application/rtf", "sh": "application/x-sh", "sql": "application/sql",
        "sqlite": "application/vnd.sqlite3", "stl": "model/stl", "svg": "image/svg+xml", "tar": "application/x-tar",
        "tif": "image/tiff", "tiff": "image/tiff", "toml": "application/toml", "ts": "video/mp2t",
        "tsv": "text/tab-separated-values", "ttf": "font/ttf", "txt": "text/plain", "usdz": "model/vnd.usdz+zip",
        "vcf": "text/vcard", "wasm": "application/wasm", "wav": "audio/x-wav", "weba": "audio/webm",
        "webm": "video/webm", "webp": "image/webp", "wmv": "video/x-ms-wmv", "woff": "font/woff", "woff2": "font/woff2",
        "xhtml": "application/xhtml+xml", "xls": "application/vnd.ms-excel",
        "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "xml": "application/xml",
        "yaml": "application/yaml", "yml": "application/yaml", "zip": "application/zip", "zst": "application/zstd",
    ]
}
