extension ResourceErrors {
    /// Parses the problems in the body of a response with status 422; `nil` if it contains no message.
    ///
    /// The formats are `{"errors": {"name": ["…"]}}`, the same without `errors`, `{"errors": ["Name …"]}` and
    /// `{"error": "…"}`. Nested names are joined by dots, and values that are not messages are skipped.
    init?(_ body: JSON, attributes: [String]) {
        let errors = body["errors"]
        if errors.exists { add(errors, at: [], attributes) }
        if isEmpty { add(errors.exists ? body.removing(["errors"]) : body, at: [], attributes) }
        if isEmpty { return nil }
    }

    /// The names of members that contain the message of a problem.
    private static let messageNames = ["message", "detail", "error", "title", "error_description"]

    private mutating func add(_ value: JSON, at names: [String], _ attributes: [String]) {
        if let text = value.string {
            add(text, named: names, attributes)
        } else if let list = value.array {
            for element in list { add(element, at: names, attributes) }
        } else if let object = value.object {
            // One problem of a list, such as `{"field": "name", "message": "…"}`.
            let message = Self.messageNames.lazy.compactMap { object[$0]?.string }.first
            let pointer = value["source"]["pointer"].string?.split(separator: "/").last.map(String.init)
            if let message, let name = object["field"]?.string ?? object["attribute"]?.string ?? pointer {
                return add(message, named: names + [name], attributes)
            }
            // A message for the whole object; other strings are its type or code.
            let isSummary = message != nil && !Self.messageNames.contains(where: attributes.contains)
            if isSummary, let message { add(message, named: names, attributes) }
            for (name, member) in object where !isSummary || member.string == nil {
                let isContainer = name == "error" && !attributes.contains(name)
                add(member, at: isContainer ? names : names + [name], attributes)
            }
        }
    }

    private mutating func add(_ message: String, named names: [String], _ attributes: [String]) {
        guard let first = names.first else { return addFullMessage(message, attributes) }
        let name = names.joined(separator: ".")
        if first == Self.base { return add(message) }
        if attributes.contains(first) { return add(message, to: name) }
        add("\(Inflector.humanized(name)) \(message)")
    }

    /// Adds a message to the attribute whose human-readable name is its longest prefix.
    private mutating func addFullMessage(_ text: String, _ attributes: [String]) {
        let names = attributes.map { (name: $0, title: Inflector.humanized($0) + " ") }
        let best = names.filter { text.hasPrefix($0.title) }.max { $0.title.count < $1.title.count }
        guard let best else { return add(text) }
        add(String(text.dropFirst(best.title.count)), to: best.name)
    }
}
