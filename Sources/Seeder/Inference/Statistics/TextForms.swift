import ObjectMapping

/// The common formats of an attribute's strings.
struct TextForms {
    /// The number of strings.
    private(set) var count = 0
    /// Whether every string is a date that a build can read.
    private(set) var areDates = true
    /// The number of strings with digits after the third one of a fraction of a second, which a date does not keep.
    private(set) var fineDates = 0
    /// The formats of dates that every string has, other than ISO 8601.
    private(set) var datePatterns = DatePatternGuess.all
    private(set) var areUUIDs = true
    private(set) var areURLs = true
    /// Numbers with a decimal fraction.
    private(set) var areDecimals = true
    private(set) var areBase64 = true
    /// Integers in canonical form.
    private(set) var areIntegers = true
    private(set) var minimumLength = Int.max
    private var maximumLength = 0
    /// The number of fraction digits of the first decimal number, and whether all have as many.
    private var fraction: (digits: Int, isUniform: Bool)?
    private(set) var classes: CharacterClasses = []
    /// Codes with another code as prefix: `AD-02` with `AD`.
    private(set) var prefixes = PrefixForms()

    mutating func observe(_ text: String) {
        count += 1
        let bytes = text.utf8
        minimumLength = min(minimumLength, bytes.count)
        maximumLength = max(maximumLength, bytes.count)
        classes.formUnion(CharacterClasses(of: text))
        if areDates {
            areDates = Self.isDate(text)
            if areDates, Self.isFine(text) { fineDates += 1 }
        }
        if !datePatterns.isEmpty { datePatterns = datePatterns.filter { $0.matches(text) } }
        if areUUIDs { areUUIDs = bytes.count == 36 && UUID(json: .string(text)) != nil }
        if areURLs { areURLs = Self.isURL(text) }
        if areDecimals {
            areDecimals = Self.isDecimal(text)
            let digits = bytes.reversed().prefix { $0 != UInt8(ascii: ".") }.count
            fraction = (digits, fraction.map { $0.isUniform && $0.digits == digits } ?? true)
        }
        if areBase64 { areBase64 = bytes.count >= 16 && bytes.count % 4 == 0 && Data(json: .string(text)) != nil }
        if areIntegers { areIntegers = Int64(text).map { String($0) == text } ?? false }
        prefixes.observe(text)
    }

    mutating func merge(_ other: TextForms) {
        count += other.count
        areDates = areDates && other.areDates
        fineDates += other.fineDates
        datePatterns.removeAll { pattern in !other.datePatterns.contains { $0.text == pattern.text } }
        areUUIDs = areUUIDs && other.areUUIDs
        areURLs = areURLs && other.areURLs
        areDecimals = areDecimals && other.areDecimals
        areBase64 = areBase64 && other.areBase64
        areIntegers = areIntegers && other.areIntegers
        minimumLength = min(minimumLength, other.minimumLength)
        maximumLength = max(maximumLength, other.maximumLength)
        if let own = fraction, let others = other.fraction {
            fraction = (own.digits, own.isUniform && others.isUniform && own.digits == others.digits)
        } else {
            fraction = fraction ?? other.fraction
        }
        classes.formUnion(other.classes)
        prefixes.merge(other.prefixes)
    }

    /// The number of fraction digits, if the strings are decimal numbers with equally many.
    var fractionDigits: Int? { fraction.flatMap { areDecimals && $0.isUniform ? $0.digits : nil } }

    /// The format of a date, if the strings have as many digits as times since 2001 in seconds or milliseconds.
    var epochFormat: String? {
        guard classes == .digits, areIntegers, minimumLength == maximumLength else { return nil }
        return minimumLength == 10 ? "secondsString" : minimumLength == 13 ? "millisecondsString" : nil
    }

    /// The pattern of the dates, unless day and month could be swapped.
    var datePattern: String? { datePatterns.count == 1 ? datePatterns[0].text : nil }

    /// At least a day: a year, or seconds since 1970, are treated as numbers.
    private static func isDate(_ text: String) -> Bool {
        let bytes = Array(text.utf8.prefix(8))
        guard bytes.count == 8, text.utf8.count >= 10, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-")
        else { return false }
        // A date whose offset leads outside of the years 0 to 9999 cannot be written.
        return Date(json: .string(text))?.json.string != nil
    }

    /// Whether a date has a fraction of a second whose fourth or a later digit is not zero.
    private static func isFine(_ date: String) -> Bool {
        let fraction = date.utf8.drop { $0 != UInt8(ascii: ".") && $0 != UInt8(ascii: ",") }.dropFirst()
        return fraction.prefix { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }.dropFirst(3)
            .contains { $0 != UInt8(ascii: "0") }
    }

    /// A web address; a relative reference can be any string.
    private static func isURL(_ text: String) -> Bool {
        (text.hasPrefix("http://") || text.hasPrefix("https://")) && URL(json: .string(text)) != nil
    }

    private static func isDecimal(_ text: String) -> Bool {
        guard text.utf8.contains(UInt8(ascii: ".")), !text.utf8.contains(where: { $0 | 0x20 == UInt8(ascii: "e") })
        else { return false }
        return Decimal(json: .string(text)) != nil
    }
}

/// The character classes of strings.
struct CharacterClasses: OptionSet {
    let rawValue: UInt8

    static let capitals = CharacterClasses(rawValue: 1)
    static let smallLetters = CharacterClasses(rawValue: 2)
    static let digits = CharacterClasses(rawValue: 4)
    static let others = CharacterClasses(rawValue: 8)

    /// Returns the classes of a string's characters.
    init(of text: some StringProtocol) {
        var classes: CharacterClasses = []
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): classes.insert(.capitals)
            case UInt8(ascii: "a")...UInt8(ascii: "z"): classes.insert(.smallLetters)
            case UInt8(ascii: "0")...UInt8(ascii: "9"): classes.insert(.digits)
            default: classes.insert(.others)
            }
        }
        self = classes
    }

    init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The number of characters in the classes.
    var size: Double {
        (contains(.capitals) ? 26 : 0) + (contains(.smallLetters) ? 26 : 0) + (contains(.digits) ? 10 : 0)
            + (contains(.others) ? 32 : 0)
    }

    /// The classes in a regular expression; `nil` if other characters occur.
    var pattern: String? {
        guard !isEmpty, !contains(.others) else { return nil }
        return "["
            + (contains(.capitals) ? "A-Z" : "") + (contains(.smallLetters) ? "a-z" : "")
            + (contains(.digits) ? "0-9" : "") + "]"
    }
}
