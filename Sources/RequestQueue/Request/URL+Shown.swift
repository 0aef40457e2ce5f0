extension URL {
    /// The URL for messages: without user name, password, query and fragment.
    var shown: String {
        var shown = ArraySlice(absoluteString.utf8.prefix { $0 != UInt8(ascii: "#") })
        if let start = endOfScheme(shown) {
            let authority = shown[start...].prefix { !"/?\\".utf8.contains($0) }
            if let at = authority.lastIndex(of: UInt8(ascii: "@")) { shown.removeSubrange(start...at) }
        }
        if let mark = shown.firstIndex(of: UInt8(ascii: "?")) { shown = shown[..<mark] + "?…".utf8 }
        return String(decoding: shown, as: UTF8.self)
    }
}
