/// The nonces that "/digest" gave out, and how often each was used.
struct Nonces {
    private var counts: [String: Int] = [:]
    private var firsts: [String: String] = [:]

    /// - Parameter earlier: The nonce whose session goes on with it.
    mutating func issue(after earlier: String? = nil) -> String {
        let nonce = String(UInt64.random(in: .min ... .max), radix: 16)
        counts[nonce] = 0
        if let earlier { firsts[nonce] = first(of: earlier) }
        return nonce
    }

    /// The nonce with which the session of another one began.
    func first(of nonce: String) -> String { firsts[nonce] ?? nonce }

    /// Notes a use by its count, in hexadecimal digits; false if the nonce is not one of these, was used so often, or the
    /// count is not above the one before: then the request is perhaps someone's who heard an earlier one.
    mutating func use(_ nonce: String, _ count: String, atMost limit: Int) -> Bool {
        guard let last = counts[nonce], let count = Int(count, radix: 16), count > last, count <= limit else {
            return false
        }
        counts[nonce] = count
        return true
    }
}
