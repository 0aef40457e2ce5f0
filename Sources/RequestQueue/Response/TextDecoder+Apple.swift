#if canImport(Darwin)
    import CoreFoundation

    /// Decodes text with the tables of Core Foundation.
    enum TextDecoder {
        /// Returns the decoded text; `nil` if the bytes are invalid or the character set is unknown to the system.
        ///
        /// - Parameters:
        ///   - data: The bytes.
        ///   - charset: The IANA name of the character set.
        ///   - table: The name of a superset that `iconv` supports.
        static func text(of data: Data, charset: String, table: String) -> String? {
            let encoding = CFStringConvertIANACharSetNameToEncoding(charset as CFString)
            guard encoding != kCFStringEncodingInvalidId else { return nil }
            return String(
                data: data, encoding: String.Encoding(rawValue: CFStringConvertEncodingToNSStringEncoding(encoding)))
        }
    }
#endif
