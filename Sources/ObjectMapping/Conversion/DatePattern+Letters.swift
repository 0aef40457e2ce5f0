extension DatePattern {
    /// The pattern that Unicode's letters spell, as `dd.MM.yyyy HH:mm`; the second value is what is wrong with it.
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
                            expected: "a date pattern of yyyy yy MMM MM M dd d EEEE EEE HH H mm m ss s S Z X",
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
        return (DatePattern(fields: fields, offset: offset), mistake ?? offset.mistake)
    }

    /// A pattern of the library's own, which is known to be sound.
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

    /// What stands between quotes; two of them are one quote.
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

/// How far the clocks of a place are ahead of UTC.
public struct UTCOffset: Sendable, Hashable {
    /// Seconds east of UTC.
    let seconds: Int

    /// No offset.
    public static let utc = UTCOffset(seconds: 0)

    /// An offset east of UTC, or west if negative.
    ///
    /// - Parameters:
    ///   - hours: From -23 to 23; a mapping with a greater one does not compile to a plan.
    ///   - minutes: From 0 to 59, on the side of the hours.
    public static func hours(_ hours: Int, minutes: Int = 0) -> UTCOffset {
        // Far too great is as wrong as a little.
        let hours = min(max(hours, -1000), 1000)
        let minutes = min(max(minutes, 0), 60_000)
        return UTCOffset(seconds: (hours * 60 + (hours < 0 ? -minutes : minutes)) * 60)
    }

    var mistake: PlanMistake? {
        abs(seconds) < 86_400
            ? nil : PlanMistake(expected: "an offset of less than a day", found: "a greater one")
    }
}
