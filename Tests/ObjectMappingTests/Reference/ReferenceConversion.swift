import Foundation
import ObjectMapping

/// Converts a value to a type according to the documentation.
enum ReferenceConversion {
    struct Mismatch: Error {
        var kind: MappingIssue.Kind
    }

    static func convert(_ node: PlainNode, _ type: ReferenceType) -> Result<String, Mismatch> {
        func failure(_ kind: MappingIssue.Kind) -> Result<String, Mismatch> { .failure(Mismatch(kind: kind)) }
        func orInvalid(_ value: String?) -> Result<String, Mismatch> {
            guard case .string = node.kind else { return failure(.typeMismatch) }
            return value.map { .success($0) } ?? failure(.invalidValue)
        }
        switch type {
        case .json: return .success(node.deduplicated.text)
        case .string:
            return text(node).map { .success(JSONText.quoted($0)) } ?? failure(.typeMismatch)
        case .status:
            return text(node).flatMap { ["open", "done"].contains($0) ? .success($0) : nil } ?? failure(.invalidValue)
        case .boolean: return boolean(node).map { .success($0 ? "true" : "false") } ?? failure(.typeMismatch)
        case .integer(let range):
            guard let number = number(node).map(PlainNumber.init) else { return failure(.typeMismatch) }
            if number.hasFraction { return failure(.lossy) }
            guard let value = number.integer, range.contains(value) else { return failure(.outOfRange) }
            return .success("\(value)")
        case .double, .float:
            guard let value = number(node).flatMap(Double.init) else { return failure(.typeMismatch) }
            if case .float = type {
                return Float(value).isFinite ? .success("\(Float(value))") : failure(.outOfRange)
            }
            return value.isFinite ? .success("\(value)") : failure(.outOfRange)
        case .decimal:
            guard let number = number(node).map(PlainNumber.init) else { return failure(.typeMismatch) }
            // The significand has 128 bits, and can have trailing zeros if the exponent is too large otherwise.
            let zeros = String(repeating: "0", count: min(40, max(0, number.exponent - 127)))
            let significand = number.digits + zeros
            let isInRange = significand.count <= 39 && UInt128(significand.isEmpty ? "0" : significand) != nil
            guard isInRange, number.exponent >= -128 else { return failure(.outOfRange) }
            return .success(number.description)
        case .date:
            if case .string(let text) = node.kind {
                return PlainDate.seconds(text).map { .success(moment($0)) } ?? failure(.invalidValue)
            }
            guard let seconds = number(node).flatMap(Double.init) else {
                return failure(.typeMismatch)
            }
            return abs(seconds) < 1e12 ? .success(moment(seconds)) : failure(.outOfRange)
        case .uuid: return orInvalid(uuid(node))
        case .url:
            guard case .string(let text) = node.kind else { return failure(.typeMismatch) }
            return orInvalid(URL(string: text)?.absoluteString)
        case .data: return orInvalid(base64(node))
        default: return failure(.mapping)
        }
    }

    /// A date as text, to the microsecond.
    static func moment(_ seconds: Double) -> String { "\(Int128((seconds * 1_000_000).rounded())) us" }

    /// The text of a number, or a string of one, with leading zeros and a plus sign.
    static func number(_ node: PlainNode) -> String? {
        switch node.kind {
        case .number(let text): return text
        case .string(var text):
            if let match = text.wholeMatch(of: /([-+]?)0*([0-9].*)/) {
                text = (match.1 == "-" ? "-" : "") + match.2
            }
            guard let tree = try? PlainReader.read(Array(text.utf8)), case .number(let number) = tree.kind,
                number == text
            else { return nil }
            return number
        default: return nil
        }
    }

    private static func text(_ node: PlainNode) -> String? {
        switch node.kind {
        case .string(let text), .number(let text): text
        case .bool(let value): value ? "true" : "false"
        default: nil
        }
    }

    private static func boolean(_ node: PlainNode) -> Bool? {
        switch node.kind {
        case .bool(let value): return value
        case .number(let text):
            let integer = PlainNumber(text).integer
            return integer == 0 ? false : integer == 1 ? true : nil
        case .string(let text):
            let word = text.lowercased()
            if ["true", "yes", "t", "y", "1"].contains(word) { return true }
            if ["false", "no", "f", "n", "0"].contains(word) { return false }
            return nil
        default: return nil
        }
    }

    private static func uuid(_ node: PlainNode) -> String? {
        guard case .string(let text) = node.kind else { return nil }
        let groups = text.split(separator: "-", omittingEmptySubsequences: false)
        guard groups.map(\.utf8.count) == [8, 4, 4, 4, 12],
            groups.joined().utf8.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit && $0 < 0x80 })
        else { return nil }
        return text.lowercased()
    }

    /// The bytes of a base64 text, in base64.
    private static func base64(_ node: PlainNode) -> String? {
        guard case .string(let text) = node.kind else { return nil }
        let digits = text.utf8.reversed().drop { $0 == UInt8(ascii: "=") }
        let padding = text.utf8.count - digits.count
        guard text.utf8.count % 4 == 0, padding < 3,
            digits.allSatisfy({
                Character(Unicode.Scalar($0)).isASCII
                    && (Character(Unicode.Scalar($0)).isLetter
                        || Character(Unicode.Scalar($0)).isNumber || $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "/"))
            })
        else { return nil }
        return text
    }
}
