#if !canImport(Darwin)
    /// Decodes text by the tables of the system's `iconv`.
    enum TextDecoder {
        /// The text of bytes; nil if they are no text of the character set, or if the system does not know it.
        ///
        /// - Parameters:
        ///   - charset: Its name by IANA.
        ///   - table: The name of a superset that `iconv` has a table of.
        static func text(of data: Data, charset: String, table: String) -> String? {
            guard let converter = unsafe iconv_open("UTF-8", table), Int(bitPattern: converter) != -1
            else { return nil }
            defer { unsafe _ = iconv_close(converter) }
            var input = [UInt8](data)
            // No byte of these sets becomes more than three.
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
