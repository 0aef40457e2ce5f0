import ObjectMapping
import TestSupport

@testable import ObjectStore

/// A random condition, and the same condition in plain Swift.
struct RandomCondition {
    let text: String
    let query: (QueryObject<Sample, Sample>) -> QueryPredicate<Sample>
    /// Whether an object meets the condition; the properties of a missing object are nil.
    let check: (Sample?) -> Bool
}

/// Random samples, changes of them, and queries.
struct RandomQueries {
    var random: SeededGenerator

    static let integers = [-3, -1, 0, 1, 2, 3, Int.max, Int.min]
    static let doubles = [-1.5, -0.0, 0, 0.1, 1, 2, 1e300, .infinity, -.infinity]
    static let texts = [
        "", "a", "A", "ab", "aB", "é", "e\u{301}", "É", "a\0", "a\0b", "ß", "SS", "z%", "_", "\\", "日本", "\u{D7FF}",
        "\u{10FFFF}", "\u{10FFFF}b", "'", "\"", "ы", "й",
    ]
    static let decimals = ["0", "-1.5", "1.50", "9", "10", "0.0001", "-0.0001", "1234567890123456789012345678.901"]
        .compactMap { Decimal(string: $0) }
    static let dates = [0, 0.001, 1, -0.001, 1e9, -1e9, 1.5e9].map { Date(timeIntervalSince1970: $0) }
    static let uuids = [UUID(), UUID(uuidString: "F81D4FAE-7DEC-11D0-A765-00A0C91E6BF6")]
    static let urls = ["a:b", "https://example.org/é?x=%20", "https://example.org"].map { URL(string: $0) }
    static let blobs = [Data(), Data([0]), Data([0, 255]), Data("a".utf8)]

    private mutating func number(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }

    private mutating func pick<Value>(_ values: [Value]) -> Value { values[number(values.count)] }

    private mutating func maybe<Value>(_ values: [Value]) -> Value? { number(3) == 0 ? nil : pick(values) }

    // MARK: Objects

    /// Assigns some properties, or all of a new object.
    mutating func fill(_ sample: Sample, all: Bool, among samples: [Sample]) {
        for property in 0..<22 where all || number(5) == 0 { fill(sample, property) }
        if number(2) == 0 { sample.parent = maybe(samples) }
        if number(4) == 0 { sample.friends = (0..<number(4)).map { _ in pick(samples) } }
        if number(6) == 0 { sample.children.append(pick(samples)) }
        if number(6) == 0, !sample.children.isEmpty { sample.children.removeLast() }
    }

    /// Assigns a random value to an attribute.
    mutating func fill(_ sample: Sample, _ property: Int) {
        switch property {
        case 0: sample.integer = pick(Self.integers)
        case 1: sample.optionalInteger = maybe(Self.integers)
        case 2: sample.small = Int8(number(9) - 4)
        case 3: sample.double = pick(Self.doubles)
        case 4: sample.optionalDouble = maybe(Self.doubles)
        case 5: sample.flag = number(2) == 0
        case 6: sample.optionalFlag = maybe([true, false])
        case 7: sample.text = pick(Self.texts)
        case 8: sample.optionalText = maybe(Self.texts)
        case 9: sample.date = pick(Self.dates)
        case 10: sample.optionalDate = maybe(Self.dates)
        case 11: sample.decimal = pick(Self.decimals)
        case 12: sample.optionalDecimal = maybe(Self.decimals)
        case 13: sample.uuid = pick(Self.uuids)
        case 14: sample.url = pick(Self.urls)
        case 15: sample.data = maybe(Self.blobs)
        case 16: sample.color = pick(Sample.Color.allCases)
        case 17: sample.optionalColor = maybe(Sample.Color.allCases)
        case 18: sample.point = Sample.Point(x: number(2), y: number(2))
        case 19: sample.tags = (0..<number(3)).map { _ in pick(Self.texts) }
        case 20: sample.numbers = (0..<number(3)).map { _ in pick([-1.5, 0, 0.1, 1, 1e300]) }
        default: sample.moments = (0..<number(3)).map { _ in pick(Self.dates) }
        }
    }

    // MARK: Conditions

    mutating func condition(depth: Int = 3) -> RandomCondition {
        guard depth > 0, number(5) > 0 else { return leaf() }
        let a = condition(depth: depth - 1)
        switch number(9) {
        case 0, 1:
            let b = condition(depth: depth - 1)
            return RandomCondition(
                text: "(\(a.text) && \(b.text))", query: { a.query($0) && b.query($0) },
                check: { a.check($0) && b.check($0) })
        case 2, 3:
            let b = condition(depth: depth - 1)
            return RandomCondition(
                text: "(\(a.text) || \(b.text))", query: { a.query($0) || b.query($0) },
                check: { a.check($0) || b.check($0) })
        case 4:
            return RandomCondition(text: "!\(a.text)", query: { !a.query($0) }, check: { !a.check($0) })
        case 5:
            return RandomCondition(
                text: "parent\(a.text)", query: { a.query($0.parent) }, check: { a.check($0?.parent) })
        case 6:
            return RandomCondition(
                text: "children.any\(a.text)", query: { $0.children.any(a.query) },
                check: { ($0?.children ?? []).contains { a.check($0) } })
        case 7:
            return RandomCondition(
                text: "friends.all\(a.text)", query: { $0.friends.all(a.query) },
                check: { ($0?.friends ?? []).allSatisfy { a.check($0) } })
        default:
            return RandomCondition(
                text: "friendsOf.none\(a.text)", query: { $0.friendsOf.none(a.query) },
                check: { !($0?.friendsOf ?? []).contains { a.check($0) } })
        }
    }

    private mutating func leaf() -> RandomCondition {
        switch number(32) {
        case 0: return compare("integer", \.integer, pick(Self.integers))
        case 1: return compare("optionalInteger", \.optionalInteger, maybe(Self.integers))
        case 2: return compare("small", \.small, Int8(number(9) - 4))
        case 3: return compare("double", \.double, pick(Self.doubles))
        case 4: return compare("optionalDouble", \.optionalDouble, maybe(Self.doubles))
        case 5: return equal("flag", \.flag, number(2) == 0)
        case 6: return equal("optionalFlag", \.optionalFlag, maybe([true, false]))
        case 7: return text("text", \.text) { $0.map { $0.text } }
        case 8: return text("optionalText", \.optionalText) { $0?.optionalText }
        case 9: return compare("date", \.date, pick(Self.dates))
        case 10: return compare("optionalDate", \.optionalDate, maybe(Self.dates))
        case 11: return compare("decimal", \.decimal, pick(Self.decimals))
        case 12: return compare("optionalDecimal", \.optionalDecimal, maybe(Self.decimals))
        case 13: return equal("uuid", \.uuid, pick(Self.uuids))
        case 14: return equal("url", \.url, pick(Self.urls))
        case 15: return equal("data", \.data, maybe(Self.blobs))
        case 16: return equal("color", \.color, pick(Sample.Color.allCases))
        case 17: return equal("optionalColor", \.optionalColor, maybe(Sample.Color.allCases))
        case 18: return equal("point", \.point, Sample.Point(x: number(2), y: number(2)))
        case 19:
            let values = (0..<number(4)).map { _ in maybe(Self.decimals) }
            return RandomCondition(
                text: "optionalDecimal in \(values)", query: { $0.optionalDecimal.isIn(values) },
                check: { object in values.contains { $0 == object?.optionalDecimal } })
        case 20:
            let values = (0..<number(4)).map { _ in pick(Self.integers) }
            return RandomCondition(
                text: "integer in \(values)", query: { $0.integer.isIn(values) },
                check: { object in values.contains { $0 == object?.integer } })
        case 21:
            let (low, high) = (number(5) - 3, number(5))
            let range = min(low, high)...max(low, high)
            return RandomCondition(
                text: "optionalInteger in \(range)", query: { range ~= $0.optionalInteger },
                check: { ($0?.optionalInteger).map { range.contains($0) } ?? false })
        case 22:
            return RandomCondition(text: "parent == nil", query: { $0.parent == nil }, check: { $0?.parent == nil })
        case 23:
            let count = number(3)
            return RandomCondition(
                text: "friends.count > \(count)", query: { $0.friends.count > count },
                check: { ($0?.friends.count ?? 0) > count })
        case 24:
            return RandomCondition(
                text: "children.count == optionalInteger", query: { $0.children.count > $0.integer },
                check: { object in object.map { $0.children.count > $0.integer } ?? false })
        case 25:
            let tag = pick(Self.texts)
            return RandomCondition(
                text: "tags contain \(tag.debugDescription)", query: { $0.tags.contains(tag) },
                check: { $0?.tags.contains { $0.utf8.elementsEqual(tag.utf8) } ?? false })
        case 26:
            let value = pick([-1.5, 0, 0.1, 1, 1e300, 7])
            return RandomCondition(
                text: "numbers contain \(value)", query: { $0.numbers.contains(value) },
                check: { $0?.numbers.contains(value) ?? false })
        case 27:
            let date = pick(Self.dates)
            return RandomCondition(
                text: "moments contain \(date)", query: { $0.moments.contains(date) },
                check: { $0?.moments.contains(date) ?? false })
        case 28:
            return RandomCondition(
                text: "tags are empty", query: { $0.tags.isEmpty }, check: { $0?.tags.isEmpty ?? false })
        case 29:
            let count = number(3)
            return RandomCondition(
                text: "tags.count >= \(count)", query: { $0.tags.count >= count },
                check: { ($0?.tags.count).map { $0 >= count } ?? false })
        case 30:
            let values = (0..<number(3) * 10).map { _ in pick(Self.texts) }
            return RandomCondition(
                text: "text in \(values)", query: { $0.text.isIn(values) },
                check: { object in values.contains { $0.utf8.elementsEqual((object?.text ?? "-").utf8) } })
        default:
            return RandomCondition(
                text: "decimal <= parent.decimal", query: { $0.decimal <= $0.parent.decimal },
                check: { object in
                    guard let decimal = object?.decimal, let other = object?.parent?.decimal else { return false }
                    return decimal <= other
                })
        }
    }

    private mutating func equal<Value: Equatable>(
        _ name: String, _ property: KeyPath<Sample, Value>, _ value: Value
    ) -> RandomCondition {
        RandomCondition(
            text: "\(name) == \(value)", query: { $0[dynamicMember: property] == value },
            check: { $0.map { $0[keyPath: property] == value } ?? false })
    }

    private mutating func equal<Value: Equatable>(
        _ name: String, _ property: KeyPath<Sample, Value?>, _ value: Value?
    ) -> RandomCondition {
        RandomCondition(
            text: "\(name) == \(value as Any)", query: { $0[dynamicMember: property] == value },
            check: { $0?[keyPath: property] == value })
    }

    private mutating func compare<Value: Comparable>(
        _ name: String, _ property: KeyPath<Sample, Value>, _ value: Value
    ) -> RandomCondition {
        let operation = number(6)
        return RandomCondition(
            text: "\(name) \(Self.operators[operation]) \(value)",
            query: {
                let property = $0[dynamicMember: property]
                return switch operation {
                case 0: property == value
                case 1: property != value
                case 2: property < value
                case 3: property <= value
                case 4: property > value
                default: property >= value
                }
            }, check: { Self.compare($0?[keyPath: property], operation, value) })
    }

    private mutating func compare<Value: Comparable>(
        _ name: String, _ property: KeyPath<Sample, Value?>, _ value: Value?
    ) -> RandomCondition {
        guard let value else {
            return RandomCondition(
                text: "\(name) == nil", query: { $0[dynamicMember: property] == nil },
                check: { $0?[keyPath: property] == nil })
        }
        let operation = number(6)
        return RandomCondition(
            text: "\(name) \(Self.operators[operation]) \(value)",
            query: {
                let property = $0[dynamicMember: property]
                return switch operation {
                case 0: property == value
                case 1: property != value
                case 2: property < value
                case 3: property <= value
                case 4: property > value
                default: property >= value
                }
            }, check: { Self.compare($0?[keyPath: property], operation, value) })
    }

    private static let operators = ["==", "!=", "<", "<=", ">", ">="]

    private static func compare<Value: Comparable>(_ a: Value?, _ operation: Int, _ b: Value) -> Bool {
        switch operation {
        case 0: a == b
        case 1: a != b
        case 2: a.map { $0 < b } ?? false
        case 3: a.map { $0 <= b } ?? false
        case 4: a.map { $0 > b } ?? false
        default: a.map { $0 >= b } ?? false
        }
    }

    private mutating func text<Value: QueryText>(
        _ name: String, _ property: KeyPath<Sample, Value>, _ value: @escaping (Sample?) -> String?
    ) -> RandomCondition {
        let argument = pick(Self.texts)
        let folding = pick([[], .case, .diacritics, [.case, .diacritics]] as [TextFolding])
        let operation = number(6)
        let folded = folding.fold(argument)
        let pattern = "%" + folded.replacing("%", with: "\\%") + "_%"
        func query(_ object: QueryObject<Sample, Sample>) -> QueryPredicate<Sample> {
            var property = object[dynamicMember: property]
            property.operand.folding = folding
            return switch operation {
            case 0: property.hasPrefix(argument)
            case 1: property.hasSuffix(argument)
            case 2: property.contains(argument)
            case 3: property.like(pattern)
            case 4: property.matches("a.?|[b-z]+")
            default: QueryPredicate(.comparison(property.operand, .equal, .text(folded)))
            }
        }
        func check(_ object: Sample?) -> Bool {
            guard let text = value(object) else { return false }
            let bytes = Array(folding.fold(text).utf8)
            let part = Array(folded.utf8)
            return switch operation {
            case 0: bytes.starts(with: part)
            case 1: bytes.suffix(part.count) == part[...]
            case 2: (0...bytes.count).contains { bytes[$0...].starts(with: part) }
            case 3: TextPattern(like: pattern).matches(folding.fold(text))
            case 4:
                (try? TextPattern(regularExpression: "a.?|[b-z]+", folding))?.matches(text) ?? false
            default: bytes == part
            }
        }
        return RandomCondition(
            text: "\(name) \(operation) \(argument.debugDescription) folding \(folding.rawValue)", query: query,
            check: check)
    }

    // MARK: Queries

    mutating func sorted(_ query: ObjectQuery<Sample>) -> ObjectQuery<Sample> {
        var query = query
        for _ in 0..<number(3) {
            let isDescending = number(2) == 0
            query =
                switch number(8) {
                case 0: query.sorted(by: \.text, descending: isDescending)
                case 1: query.sorted(by: \.optionalDecimal, descending: isDescending)
                case 2: query.sorted(by: \.parent?.text, descending: isDescending)
                case 3: query.sorted(by: \.optionalDate, descending: isDescending)
                case 4: query.sorted { isDescending ? $0.text.folded.descending : $0.parent.decimal.ascending }
                case 5: query.sorted { [$0.friends.count.descending, $0.tags.count.ascending] }
                case 6: query.sorted(by: \.flag, descending: isDescending)
                default: query.sorted(by: \.double, descending: isDescending)
                }
        }
        if number(3) == 0 { query = query.offset(number(6)) }
        if number(3) == 0 { query = query.limit(number(12)) }
        return query
    }
}
