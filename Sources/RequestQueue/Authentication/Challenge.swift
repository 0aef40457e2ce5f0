/// What a server asks for in `WWW-Authenticate`: a scheme and its parameters (RFC 9110 §11.3).
struct Challenge: Sendable, Equatable {
    /// In lower case, as `digest`.
    var scheme: String
    /// By their names in lower case.
    var parameters: [String: String] = [:]

    subscript(name: String) -> String? { parameters[name] }
}
