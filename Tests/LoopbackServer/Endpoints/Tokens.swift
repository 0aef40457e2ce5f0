/// The tokens of "/token": the newest of each key is valid, for a number of uses.
struct Tokens {
    private var issued: [String: (number: Int, uses: Int)] = [:]

    mutating func issue(for key: String) -> String {
        let number = (issued[key]?.number ?? 0) + 1
        issued[key] = (number, 0)
        return "\(key)-\(number)"
    }

    /// Whether a token is valid; counts as a use.
    mutating func use(_ token: String, for key: String, atMost limit: Int) -> Bool {
        guard let last = issued[key], token == "\(key)-\(last.number)", last.uses < limit else { return false }
        issued[key] = (last.number, last.uses + 1)
        return true
    }
}
