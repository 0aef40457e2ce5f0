extension DatePattern {
    /// Parses a pattern such as `dd.MM.yyyy HH:mm`; also returns its first error.
    static func parsed(_ text: String, _ offset: UTCOffset) -> (pattern: DatePattern, mistake: PlanMistake?) {
        var fields: [Field] = []
        var mistake: PlanMistake?
        var rest = Array(text.utf8)[...]
        while let byte = rest.first {
            if byte == UInt8(ascii: "'") {
                guard let literal = quoted(&rest) else {
                    mistake = PlanMistake(expected: "a date pattern", found: "a quote that does not end")
                    break
                }
                fields.append(.literal(literal))
            } else if isLetter(byte) {
                let run = rest.prefix { $0 == byte }
                rest.removeFirst(run.count)
                let letters = String(decoding: run, as: UTF8.self)
                if let field = field(letters) {
                    fields.append(field)
                } else {
                    mistake =
                        mistake
                        ?? PlanMistake(
                            expected: "a date pattern of yyyy yy MMM MM M dd d EEEE EEE HH H hh h a mm m ss s S Z X",
                            found: "'\(letters)'")
                }
            } else {
                fields.append(.literal([byte]))
                rest.removeFirst()
            }
        }
        if mistake == nil, !fields.contains(.year), !fields.contains(.yearOfCentury) {
            mistake = PlanMistake(expected: "a date pattern with a year", found: "'\(text)'")
        }
        let hasHalfDays = fields.contains { if case .halfDayHour = $0 { true } else { false } }
        if mistake == nil, hasHalfDays != fields.contains(.dayPeriod) {
            mistake = PlanMistake(
                expected: hasHalfDays ? "a date pattern with 'a' (AM or PM), or with HH" : "a date pattern with hh",
                found: "'\(text)'")
        }
        return (DatePattern(fields: fields, offset: offset), mistake ?? offset.mistake)
    }

    /// Creates a built-in pattern, which is known to be valid.
    init(_ text: String, _ offset: UTCOffset = .utc) { self = DatePattern.parsed(text, offset).pattern }

    private static func field(_ letters: String) -> Field? {
        switch letters {
        case "yyyy": .year
        case "yy": .yearOfCentury
        case "MMM": .monthName
        case "MM": .number(.month, 2...2, written: 2)
        case "M": .number(.month, 1...2, written: 1)
        case "dd": .number(.day, 2...2, written: 2)
        case "d": .number(.day, 1...2, written: 1)
        case "EEE": .dayName
        case "EEEE": .longDayName
        case "HH": .number(.hour, 2...2, written: 2)
        case "H": .number(.hour, 1...2, written: 1)
        case "hh": .halfDayHour(2...2, written: 2)
        case "h": .halfDayHour(1...2, written: 1)
        case "a": .dayPeriod
        case "mm": .number(.minute, 2...2, written: 2)
        case "m": .number(.minute, 1...2, written: 1)
        case "ss": .number(.second, 2...2, written: 2)
        case "s": .number(.second, 1...2, written: 1)
        case "Z": .offset(.basic)
        case "X": .offset(.shortest)
        case "XX": .offset(.basicOrZ)
        case "XXX": .offset(.extendedOrZ)
        case _ where letters.count <= 9 && letters.allSatisfy { $0 == "S" }: .fraction(digits: letters.count)
        default: nil
        }
    }

    /// Parses quoted text; two quotes represent one.
    private static func quoted(_ rest: inout ArraySlice<UInt8>) -> [UInt8]? {
        let quote = UInt8(ascii: "'")
        rest.removeFirst()
        if rest.first == quote {
            rest.removeFirst()
            return [quote]
        }
        var literal: [UInt8] = []
        while let byte = rest.popFirst() {
            guard byte == quote else {
                literal.append(byte)
                continue
            }
            guard rest.first == quote else { return literal }
            literal.append(quote)
            rest.removeFirst()
        }
        return nil
    }

    private static func isLetter(_ byte: UInt8) -> Bool { UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20 }
}

/// An offset from UTC.
public struct UTCOffset: Sendable, Hashable {
    /// The seconds east of UTC.
    let seconds: Int

    /// No offset.
    public static let utc = UTCOffset(seconds: 0)

    /// Creates an offset east of UTC, or west if it is negative.
    ///
    /// - Parameters:
    ///   - hours: From -23 to 23; a larger offset is an error of the mapping.
    ///   - minutes: From 0 to 59, in the direction of the hours. Defaults to 0.
    public static func hours(_ hours: Int, minutes: Int = 0) -> UTCOffset {
        // Limits the value, to avoid overflow.
        let hours = min(max(hours, -1000), 1000)
        let minutes = min(max(minutes, 0), 60_000)
        return UTCOffset(seconds: (hours * 60 + (hours < 0 ? -minutes : minutes)) * 60)
    }

    var mistake: PlanMistake? {
        abs(seconds) < 86_400
            ? nil : PlanMistake(expected: "an offset of less than a day", found: "a greater one")
    }
}
