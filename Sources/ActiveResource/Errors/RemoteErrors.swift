extension ResourceErrors {
    /// Parses the problems in the body of a response with status 422; `nil` for another format.
    ///
    /// Three formats are supported: `{"errors": {"name": ["…"]}}`, the same without `errors`, and `{"errors": ["Name
    /// …"]}`.
    init?(_ body: JSON, attributes: [String]) {
        let errors = body["errors"].exists ? body["errors"] : body
        if let object = errors.object, !object.isEmpty {
            for (name, value) in object {
                guard let messages = value.array ?? (value.string == nil ? nil : [value]) else { return nil }
                for message in messages {
                    guard let text = message.string else { return nil }
                    switch name {
                    case Self.base: add(text)
                    case _ where attributes.contains(name): add(text, to: name)
                    default: add("\(Inflector.humanized(name)) \(text)")
                    }
                }
            }
        } else if let messages = errors.array {
            for message in messages {
                guard let text = message.string else { return nil }
                addFullMessage(text, attributes)
            }
        }
        if isEmpty { return nil }
    }

    /// Adds a message to the attribute whose human-readable name is its longest prefix.
    private mutating func addFullMessage(_ text: String, _ attributes: [String]) {
        let names = attributes.map { (name: $0, title: Inflector.humanized($0) + " ") }
        let best = names.filter { text.hasPrefix($0.title) }.max { $0.title.count < $1.title.count }
        guard let best else { return add(text) }
        add(String(text.dropFirst(best.title.count)), to: best.name)
    }
}
