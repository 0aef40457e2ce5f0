extension String: JSONConvertible {
    /// A text; numbers and truth values as they are spelled.
    public init?(json: JSON) {
        if let text = json.string {
            self = text
        } else if json.bool != nil || json.isNumber {
            self = json.text
        } else {
            return nil
        }
    }

    /// The text.
    public var json: JSON { .string(self) }

    /// Reads texts without a detour.
    public static let valuePlan: ValuePlan<Self> =
        ValuePlan(.string, optional: .optionalString) { PlainBox<String>(.string) }
}

extension Date: JSONConvertible {
    /// A moment: an ISO 8601 text (UTC without an offset), or seconds since 1970 as a number or text.
    public init?(json: JSON) {
        if let date = json.string.flatMap(ISODate.date) {
            self = date
        } else if let number = Double(json: json), abs(number) < ISODate.latest {
            self.init(timeIntervalSince1970: number)
        } else {
            return nil
        }
    }

    /// ISO 8601 in UTC with milliseconds, as `2026-11-21T07:23:00.000Z`; seconds since 1970 outside the years 0 to 9999.
    public var json: JSON {
        var buffer = ByteBuffer(capacity: 24)
        let milliseconds = (timeIntervalSince1970 * 1000).rounded()
        guard abs(milliseconds) < ISODate.latest * 1000 else { return .double(timeIntervalSince1970) }
        let (whole, rest) = Int(milliseconds).quotientAndRemainder(dividingBy: 1000)
        let isAppended = ISODate.append(
            whole: rest < 0 ? whole - 1 : whole, milliseconds: rest < 0 ? rest + 1000 : rest, to: &buffer)
        return isAppended ? .string(makeString(buffer.text, buffer.count)) : .double(timeIntervalSince1970)
    }

    /// Reads dates without a detour.
    public static let valuePlan: ValuePlan<Self> = ValuePlan(.date, optional: .optionalDate) { PlainBox<Date>(.date) }
}

extension UUID: JSONConvertible {
    /// A UUID as RFC 9562 spells it, in either case.
    public init?(json: JSON) {
        guard let text = json.string else { return nil }
        self.init(uuidString: text)
    }

    /// The text, in lower case.
    public var json: JSON { .string(uuidString.lowercased()) }
}

extension URL: JSONConvertible {
    /// A URL or a relative reference (RFC 3986).
    public init?(json: JSON) {
        guard let text = json.string else { return nil }
        self.init(string: text)
    }

    /// The text.
    public var json: JSON { .string(relativeString) }
}

extension Data: JSONConvertible {
    /// Base64 (RFC 4648).
    public init?(json: JSON) {
        guard let text = json.string else { return nil }
        self.init(base64Encoded: text)
    }

    /// Base64.
    public var json: JSON { .string(base64EncodedString()) }
}

extension JSON: JSONConvertible {
    /// The value itself.
    public init?(json: JSON) { self = json }

    /// The value itself.
    public var json: JSON { self }
}
