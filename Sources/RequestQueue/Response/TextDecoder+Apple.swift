#if canImport(Darwin)
    import CoreFoundation

    /// Decodes text with the tables of Core Foundation.
    enum TextDecoder {
        /// Returns the decoded text; `nil` if the bytes are invalid or the character set is unknown to the system.
        ///
        /// - Parameters:
        ///   - data: The bytes.
        ///   - table: The name of the character set, or of a superset.
        static func text(of data: Data, table: String) -> String? {
            // It also knows the names of Windows, such as CP949; `euc-kr` would be a subset of it.
            let encoding = CFStringConvertIANACharSetNameToEncoding(table as CFString)
            guard encoding != kCFStringEncodingInvalidId else { return nil }
            return String(
                data: data, encoding: String.Encoding(rawValue: CFStringConvertEncodingToNSStringEncoding(encoding)))
        }
    }
#endif
