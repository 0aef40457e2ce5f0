#if !canImport(Darwin)
    /// Decodes text with the tables of the system's `iconv`.
    enum TextDecoder {
        /// Returns the decoded text; `nil` if the bytes are invalid or the character set is unknown to the system.
        ///
        /// - Parameters:
        ///   - data: The bytes.
        ///   - table: The name of the character set, or of a superset.
        static func text(of data: Data, table: String) -> String? {
            guard let converter = unsafe iconv_open("UTF-8", table), Int(bitPattern: converter) != -1
            else { return nil }
            defer { unsafe _ = iconv_close(converter) }
            var input = [UInt8](data)
            // A byte in these character sets becomes up to three bytes.
            var output = [UInt8](repeating: 0, count: 3 * input.count + 16)
            let count = unsafe input.withUnsafeMutableBytes { input in
                unsafe output.withUnsafeMutableBytes { output -> Int? in
                    var source = unsafe input.baseAddress?.assumingMemoryBound(to: CChar.self)
                    var target = unsafe output.baseAddress?.assumingMemoryBound(to: CChar.self)
                    var (sourceLeft, targetLeft) = (input.count, output.count)
                    let failure = Int(bitPattern: UInt.max)
                    guard unsafe Int(iconv(converter, &source, &sourceLeft, &target, &targetLeft)) != failure,
                        unsafe Int(iconv(converter, nil, nil, &target, &targetLeft)) != failure
                    else { return nil }
                    return output.count - targetLeft
                }
            }
            return count.flatMap { String(validating: output[..<$0], as: UTF8.self) }
        }
    }
#endif
