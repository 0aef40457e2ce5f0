/// Why RFC 7578 or RFC 2046 does not allow a form.
struct BadForm: Error {
    let reason: String

    init(_ reason: String) { self.reason = reason }
}
