#if canImport(Darwin)
    import CoreFoundation

    /// Decodes text by the tables of Core Foundation.
    enum TextDecoder {
        /// The text of bytes; nil if they are no text of the character set, or if the system does not know it.
        ///
        /// - Parameters:
        ///   - charset: Its name by IANA.
        ///   - table: The name of a superset that `iconv` has a table of.
        static func text(of data: Data, charset: String, table: String) -> String? {
            let encoding = CFStringConvertIANACharSetNameToEncoding(charset as CFString)
            guard encoding != kCFStringEncodingInvalidId else { return nil }
            return String(
                data: data, encoding: String.Encoding(rawValue: CFStringConvertEncodingToNSStringEncoding(encoding)))
        }
    }
#endif
