/// What a server asks for in `WWW-Authenticate`: a scheme and its parameters (RFC 9110 §11.3).
package struct Challenge: Sendable, Equatable {
    /// In lower case, as `digest`.
    package var scheme: String
    /// By their names in lower case.
    package var parameters: [String: String] = [:]

    package subscript(name: String) -> String? { parameters[name] }
}
