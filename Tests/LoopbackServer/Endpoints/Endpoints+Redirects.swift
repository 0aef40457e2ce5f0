extension Endpoints {
    static let redirects: [String: Endpoint] = [
        "/redirect": redirect,
        "/redirect-loop": { request in
            Answer(request.query.number("status", 302), headers: [Header("Location", request.target)])
        },
    ]

    private static func redirect(_ request: Request) -> Answer {
        let query = request.query
        let steps = query.number("n", 1)
        let status = query.number("status", 302)
        let goal = query["to"] ?? "/echo"
        let location =
            steps > 1 ? "/redirect?n=\(steps - 1)&status=\(status)&to=\(percentEncoded(goal))" : goal
        var answer = Answer(status, headers: [Header("Location", location)])
        if query["drain"] == "0" {
            answer.isEarly = true
            answer.end = .close
        }
        return answer
    }

    /// Escapes a text as a value of a query.
    private static func percentEncoded(_ text: String) -> String {
        text.utf8.reduce(into: "") { result, byte in
            if Grammar.isToken(byte), byte != UInt8(ascii: "%"), byte != UInt8(ascii: "&"), byte != UInt8(ascii: "#") {
                result.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                result += "%" + String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
            }
        }
    }
}
