/// The directives of the field `Cache-Control` (RFC 9111 §5.2).
struct CacheControl: Sendable, Hashable {
    /// Arguments by directive name in lowercase; an empty string if the directive has no argument.
    private var arguments: [String: String] = [:]

    /// Reads the directives of a request or a response.
    init(_ headers: HTTPHeaders) {
        guard let text = headers["Cache-Control"] else {
            // HTTP/1.0 used `Pragma` instead (RFC 9111 §5.4).
            if headers["Pragma"]?.lowercased().contains("no-cache") == true { arguments["no-cache"] = "" }
            return
        }
        for directive in FieldParser.list(text) {
            let (given, value) = nameAndValue(directive.utf8)
            let name = given.lowercased()
            let argument = value?.filter { $0 != "\"" } ?? ""
            guard !name.isEmpty else { continue }
            // Contradictory values are stored as an invalid number, which counts as 0 seconds (RFC 9111 §4.2.1).
            arguments[name] = arguments[name].map { $0 == argument ? $0 : "contradicted" } ?? argument
        }
    }

    /// Whether the directive is present, with or without an argument.
    func has(_ name: String) -> Bool { arguments[name] != nil }

    /// Returns the seconds of a directive: `nil` if it is missing, 0 if its argument is not a number.
    func seconds(_ name: String) -> Double? {
        arguments[name].map { Self.seconds($0) ?? 0 }
    }

    /// Parses a number of seconds (RFC 9111 §1.2.2); limits it to the largest number that a cache has to support.
    static func seconds(_ text: String) -> Double? {
        guard !text.isEmpty, text.utf8.allSatisfy(isDigit) else { return nil }
        return Double(min(Int64(text) ?? .max, 1 << 31))
    }

    /// The number of seconds after its lifetime for which the request accepts a response; infinite without an argument.
    var staleness: Double? { arguments["max-stale"] == "" ? .infinity : seconds("max-stale") }
}
