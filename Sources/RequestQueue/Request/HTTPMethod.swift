/// The method of a request, as `.get` (RFC 9110 §9).
public struct HTTPMethod: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// GET.
    public static let get = HTTPMethod(rawValue: "GET")
    /// HEAD.
    public static let head = HTTPMethod(rawValue: "HEAD")
    /// POST.
    public static let post = HTTPMethod(rawValue: "POST")
    /// PUT.
    public static let put = HTTPMethod(rawValue: "PUT")
    /// PATCH.
    public static let patch = HTTPMethod(rawValue: "PATCH")
    /// DELETE.
    public static let delete = HTTPMethod(rawValue: "DELETE")
    /// OPTIONS.
    public static let options = HTTPMethod(rawValue: "OPTIONS")

    /// The method as it is sent; methods are case-sensitive.
    public let rawValue: String

    /// A method of any name; one that is no token of HTTP is told when a request with it is sent.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A method of any name.
    public init(stringLiteral value: String) { self.init(rawValue: value) }

    /// The method as it is sent.
    public var description: String { rawValue }

    /// Whether a request asks for nothing to be changed (RFC 9110 §9.2.1).
    public var isSafe: Bool {
        switch rawValue {
        case "GET", "HEAD", "OPTIONS", "TRACE": true
        default: false
        }
    }

    /// Whether a request may be sent twice with the effect of one (RFC 9110 §9.2.2).
    public var isIdempotent: Bool {
        switch rawValue {
        case "GET", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE": true
        default: false
        }
    }
}
