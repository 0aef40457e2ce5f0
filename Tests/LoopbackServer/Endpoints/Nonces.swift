/// The nonces of "/digest", with their use counts.
struct Nonces {
    private var counts: [String: Int] = [:]
    private var firsts: [String: String] = [:]

    /// - Parameter earlier: The nonce whose session continues with the new one.
    mutating func issue(after earlier: String? = nil) -> String {
        let nonce = String(UInt64.random(in: .min ... .max), radix: 16)
        counts[nonce] = 0
        if let earlier { firsts[nonce] = first(of: earlier) }
        return nonce
    }

    /// The first nonce of the session of a nonce.
    func first(of nonce: String) -> String { firsts[nonce] ?? nonce }

    /// Records a use by its count in hexadecimal digits; false if the nonce is unknown, was used too often, or the
    /// count is not greater than the one before: such a request can be a replay.
    mutating func use(_ nonce: String, _ count: String, atMost limit: Int) -> Bool {
        guard let last = counts[nonce], let count = Int(count, radix: 16), count > last, count <= limit else {
            return false
        }
        counts[nonce] = count
        return true
    }
}
