/// The directives of the field `Cache-Control` (RFC 9111 §5.2).
struct CacheControl: Sendable, Hashable {
    /// Arguments by the directives' names in small letters; empty for none.
    private var arguments: [String: String] = [:]

    /// Those of a request or a response.
    init(_ headers: HTTPHeaders) {
        guard let text = headers["Cache-Control"] else {
            // What HTTP/1.0 had instead (RFC 9111 §5.4).
            if headers["Pragma"]?.lowercased().contains("no-cache") == true { arguments["no-cache"] = "" }
            return
        }
        for directive in Self.split(text) {
            let parts = directive.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            let name = trimmingBlanks(parts[0]).lowercased()
            let argument = parts.count == 2 ? trimmingBlanks(parts[1]).filter { $0 != "\"" } : ""
            guard !name.isEmpty else { continue }
            // Two that contradict each other are no number, and so no time at all (RFC 9111 §4.2.1).
            arguments[name] = arguments[name].map { $0 == argument ? $0 : "contradicted" } ?? argument
        }
    }

    /// Whether a directive is there, with an argument or without.
    func has(_ name: String) -> Bool { arguments[name] != nil }

    /// The seconds that a directive names: nil without it, 0 if they are no number.
    func seconds(_ name: String) -> Double? {
        arguments[name].map { Self.seconds($0) ?? 0 }
    }

    /// A number of seconds (RFC 9111 §1.2.2); of one that is too large as many as any cache has to count.
    static func seconds(_ text: String) -> Double? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Double(min(Int64(text) ?? .max, 1 << 31))
    }

    /// How long after its lifetime a response may be used as far as the request goes; without an argument for ever.
    var staleness: Double? { arguments["max-stale"] == "" ? .infinity : seconds("max-stale") }

    /// The directives, at commas that are in no quotes.
    private static func split(_ text: String) -> [Substring.UTF8View] {
        var directives: [Substring.UTF8View] = []
        let bytes = text[...].utf8
        var start = bytes.startIndex
        var isQuoted = false
        var isEscaped = false
        for index in bytes.indices {
            switch bytes[index] {
            case _ where isEscaped: isEscaped = false
            case UInt8(ascii: "\\") where isQuoted: isEscaped = true
            case UInt8(ascii: "\""): isQuoted.toggle()
            case UInt8(ascii: ",") where !isQuoted:
                directives.append(bytes[start..<index])
                start = bytes.index(after: index)
            default: break
            }
        }
        return directives + [bytes[start...]]
    }
}
