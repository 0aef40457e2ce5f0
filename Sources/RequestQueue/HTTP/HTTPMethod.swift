/// The method of a request, such as `.get` (RFC 9110 §9).
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

    /// The name of the method, which is case-sensitive.
    public let rawValue: String

    /// Creates a method with any name; sending a request with an invalid name throws a ``RequestError`` of kind
    /// `invalidMethod`.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Creates a method with any name.
    public init(stringLiteral value: String) { self.init(rawValue: value) }

    /// The name of the method.
    public var description: String { rawValue }

    /// Whether the method is safe, that is, it does not request a change (RFC 9110 §9.2.1).
    public var isSafe: Bool {
        switch rawValue {
        case "GET", "HEAD", "OPTIONS", "TRACE": true
        default: false
        }
    }

    /// Whether sending the request repeatedly has the same effect as sending it once (RFC 9110 §9.2.2).
    public var isIdempotent: Bool { isSafe || self == .put || self == .delete }
}
