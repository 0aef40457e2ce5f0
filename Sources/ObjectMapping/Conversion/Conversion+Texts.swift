extension Conversion where Value == Data {
    /// Base64 with `-` and `_` (RFC 4648 §5), with or without `=` at its end; written without.
    public static var base64URL: Conversion {
        Conversion("base64url data") { json in
            guard let text = json.string?.utf8 else { return nil }
            let body = text.prefix { $0 != UInt8(ascii: "=") }
            // What stands at the end is whole or missing.
            guard body.count == text.count || text.count.isMultiple(of: 4) else { return nil }
            var plain: [UInt8] = []
            for byte in body {
                switch byte {
                case UInt8(ascii: "-"): plain.append(UInt8(ascii: "+"))
                case UInt8(ascii: "_"): plain.append(UInt8(ascii: "/"))
                case UInt8(ascii: "+"), UInt8(ascii: "/"): return nil
                default: plain.append(byte)
                }
            }
            let padding = Array(repeating: UInt8(ascii: "="), count: (4 - plain.count % 4) % 4)
            return Data(base64Encoded: Data(plain + padding))
        } write: { data in
            let text = data.base64EncodedString().utf8.compactMap { byte -> UInt8? in
                switch byte {
                case UInt8(ascii: "+"): UInt8(ascii: "-")
                case UInt8(ascii: "/"): UInt8(ascii: "_")
                case UInt8(ascii: "="): nil
                default: byte
                }
            }
            return .string(String(decoding: text, as: UTF8.self))
        }
    }

    /// Two hexadecimal digits a byte, in either case; written in lower case.
    public static var hex: Conversion {
        Conversion("hexadecimal data") { json in
            guard let digits = json.string?.utf8.map(\.hexadecimalDigit), digits.count.isMultiple(of: 2) else {
                return nil
            }
            var data = Data(capacity: digits.count / 2)
            for index in stride(from: 0, to: digits.count, by: 2) {
                guard let high = digits[index], let low = digits[index + 1] else { return nil }
                data.append(UInt8(high << 4 | low))
            }
            return data
        } write: { data in
            let digits = Array("0123456789abcdef".utf8)
            let text = data.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
            return .string(String(decoding: text, as: UTF8.self))
        }
    }
}
