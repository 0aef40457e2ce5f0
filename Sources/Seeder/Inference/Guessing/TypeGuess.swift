import ObjectMapping

/// The type of an attribute, determined by all of its values.
struct TypeGuess {
    let type: AttributeType
    /// The reason, unless it is obvious from the kind of the values.
    var reason: String?
    var certainty = InferenceFinding.Certainty.certain

    init(_ field: FieldStatistics) {
        let words = NameWords(of: field.key)
        guard field.values > 0 else {
            self.init(.json, "all values are null, so any value is accepted", .uncertain)
            return
        }
        guard field.wrapped == 0 || !field.wrapperKeys.isEmpty else {
            let keys = field.wrappers.sorted().joined(separator: ", ")
            self.init(
                .json, "\(field.wrapped) of \(field.values) values are in objects with one of the keys \(keys)",
                .uncertain)
            return
        }
        guard field.lists > 0 else {
            self.init(scalarsOf: field, words)
            return
        }
        guard field.lists == field.values else {
            self.init(.json, "\(field.lists) of \(field.values) values are lists, the others are not", .uncertain)
            return
        }
        guard let elements = field.elements else {
            self.init(.json, "all lists are empty, so any value is accepted", .uncertain)
            return
        }
        guard elements.wrapped == 0 || !elements.wrapperKeys.isEmpty else {
            self.init(.json, "\(elements.wrapped) of \(elements.present) elements are in objects", .uncertain)
            return
        }
        guard elements.nulls == 0 else {
            let verb = elements.nulls == 1 ? "is" : "are"
            let count = counted(elements.present, "element")
            self.init(.json, "\(elements.nulls) of \(count) of its lists \(verb) null", .uncertain)
            return
        }
        let element = TypeGuess(scalarsOf: elements, words)
        guard element.type.scalar != .date || elements.strings == 0 || elements.texts.areDates else {
            self.init(listOf: TypeGuess(.string, "lists of dates cannot have a format", .uncertain))
            return
        }
        guard element.type.scalar != .json else {
            self.init(.json, elements.lists > 0 ? "nested lists" : element.reason, element.certainty)
            return
        }
        self.init(listOf: element)
    }

    /// The type of objects that are not an entity because there are too many places.
    init(beyondPlaces count: Int) {
        self.init(.json, "objects occur at more than \(count) positions", .uncertain)
    }

    private init(listOf element: TypeGuess) {
        type = AttributeType(element.type.scalar, isList: true)
        (reason, certainty) = (element.reason, element.certainty)
    }

    private init(
        _ scalar: AttributeType.Scalar, _ reason: String? = nil, _ certainty: InferenceFinding.Certainty = .certain
    ) {
        type = AttributeType(scalar)
        self.reason = reason
        self.certainty = certainty
    }

    private init(scalarsOf field: FieldStatistics, _ words: NameWords) {
        let values = field.values
        if field.scalars < values {
            self.init(unusual: field)
        } else if let guess = Self.init(inWrapperOf: field) {
            self = guess
        } else if field.strings == values {
            self.init(texts: field.texts, words)
        } else if field.integers == values {
            self.init(.integer)
        } else if field.booleans == values {
            self.init(.boolean)
        } else if field.hugeNumbers > 0, field.numbers == values {
            self.init(
                .string, "\(field.hugeNumbers) of \(values) numbers have too many digits for a numeric type", .uncertain
            )
        } else if field.longNumbers > 0, field.wideNumbers > 0, field.numbers == values {
            self.init(.string, "no numeric type represents all \(values) numbers", .uncertain)
        } else if field.largeIntegers > 0, field.integers + field.largeIntegers == values {
            self.init(.decimal, "\(field.largeIntegers) of \(values) integers do not fit into 64 bits")
        } else if field.longNumbers > 0, field.numbers == values {
            self.init(.decimal, "a double would lose digits of \(field.longNumbers) of \(values) numbers")
        } else if field.numbers == values {
            self.init(.double)
        } else {
            let kinds = [(field.strings, "string"), (field.numbers, "number"), (field.booleans, "boolean")]
            let counts = kinds.filter { $0.0 > 0 }.enumerated().map { index, kind in
                "\(kind.0)\(index == 0 ? " of \(values) values" : "") \(kind.0 == 1 ? "is a \(kind.1)" : "are \(kind.1)s")"
            }
            self.init(.string, counts.joined(separator: ", "), .uncertain)
        }
    }

    /// Guesses the type by the key of the objects that contain the values.
    private init?(inWrapperOf field: FieldStatistics) {
        let count = counted(field.values, "value")
        switch field.wrapperKeys {
        case ["$date"] where field.integers == field.values, ["$date", "$numberLong"]:
            self.init(.date, "\(count) in milliseconds since 1970")
        case ["$numberLong"], ["$numberInt"]: self.init(.integer)
        case ["$numberDecimal"]: self.init(.decimal)
        case ["$numberDouble"]: self.init(.double)
        default: return nil
        }
    }

    private init(unusual field: FieldStatistics) {
        guard field.objects == field.values else {
            self.init(
                .json, "\(field.objects + field.lists) of \(field.values) values are objects or lists", .uncertain)
            return
        }
        self.init(
            .json, field.objects == field.emptyObjects ? "the objects are empty" : "the keys of the objects are data")
    }

    private init(texts: TextForms, _ words: NameWords) {
        let count = counted(texts.count, "string")
        let last = words.singular.words.last ?? ""
        if texts.areDates {
            let dates = "\(count) \(texts.count == 1 ? "is a date" : "are dates")"
            guard texts.fineDates > 0 else {
                self.init(.date, dates)
                return
            }
            self.init(
                .date,
                "\(dates), \(texts.fineDates) of them with fractions of a millisecond, which are truncated; use `string` "
                    + "to keep them", .uncertain)
        } else if let format = texts.epochFormat, KeyWords.times.contains(words.words.last ?? "") {
            let unit = format == "secondsString" ? "seconds" : "milliseconds"
            self.init(.date, "\(count) in the range of \(unit) since 1970, and named like a time", .uncertain)
        } else if let pattern = texts.datePattern {
            self.init(.date, "\(count) in the format \(pattern) of a date")
        } else if !texts.datePatterns.isEmpty {
            let patterns = texts.datePatterns.map(\.text).joined(separator: " or ")
            self.init(
                .string, "\(count) that could be dates in the format \(patterns); use `date` with this `format`",
                .uncertain)
        } else if texts.areUUIDs {
            self.init(.uuid, "\(count) \(texts.count == 1 ? "is a UUID" : "are UUIDs")")
        } else if texts.areURLs {
            self.init(.url, "\(count) \(texts.count == 1 ? "is a URL" : "are URLs")")
        } else if texts.areDecimals, KeyWords.amounts.contains(last) {
            self.init(.decimal, "\(count) with decimal digits, and named like an amount")
        } else if texts.areBase64, KeyWords.bytes.contains(last) {
            self.init(.data, "\(count) in Base64, and named like binary data", .uncertain)
        } else {
            self.init(.string)
        }
    }
}

/// Returns a number and its noun: `1 text`, `12 texts`.
func counted(_ count: Int, _ noun: String) -> String { "\(count) \(count == 1 ? noun : noun + "s")" }
