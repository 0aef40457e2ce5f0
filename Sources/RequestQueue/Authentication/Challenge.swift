/// A challenge in `WWW-Authenticate`: a scheme and its parameters (RFC 9110 §11.3).
package struct Challenge: Sendable, Equatable {
    /// The scheme in lowercase, such as `digest`.
    package var scheme: String
    /// The parameters by their names in lowercase.
    package var parameters: [String: String] = [:]

    package subscript(name: String) -> String? { parameters[name] }
}
