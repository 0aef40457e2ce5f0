extension Mapping {
    /// Explains how the mapping reads a payload: what each rule found, and the result or the reason for no result.
    ///
    /// ```swift
    /// print(Task.mapping.explain(data))
    /// ```
    ///
    /// The payload is mapped like in `map` and `mapAll`, by the same code in a separate session, and the models are
    /// discarded. Nothing is thrown: invalid JSON and errors of the mapping are issues of the explanation. The time is
    /// that of compiling the mapping and of reading the explained elements.
    ///
    /// - Parameters:
    ///   - payload: `Data`, `[UInt8]`, `String` or `JSON`.
    ///   - keyPath: The key path of the collection, as for `mapAll`. Defaults to the payload itself.
    ///   - shape: How the elements are arranged: in an array, as the members of an object, or one per line.
    ///   - options: Metadata and limits; the log is not used.
    ///   - count: The maximum number of explained elements, of the payload and of each relationship. Defaults to 10.
    ///     Further elements of the payload are not read, those of relationships are counted.
    public func explain(
        _ payload: some JSONInput, at keyPath: JSONKeyPath = "", each shape: ElementShape = .element,
        options: MappingOptions = MappingOptions(), first count: Int = 10
    ) -> MappingExplanation {
        do throws(MappingError) {
            let limit = max(1, count)
            let reading = try traced(payload, at: keyPath, each: shape, options: options, objectLimit: limit) {
                $0.elements
            }
            return MappingExplanation(
                objects: reading.values, hasMore: reading.hasMore, issues: reading.issues + reading.others,
                unresolved: reading.unresolved)
        } catch {
            return MappingExplanation(objects: [], hasMore: false, issues: error.issues, unresolved: [])
        }
    }

    /// Returns the keys of a payload that no rule reads, in the order of the text.
    ///
    /// Each key is a path such as `$.tasks[*].color`, reported once for all elements of an array; keys in an unread
    /// value are not reported. The payload is mapped like in `map` and `mapAll`, and the models are discarded. This takes
    /// about 30 times as long as `mapAll`: use it in tests and for small payloads.
    ///
    /// - Parameters:
    ///   - payload: `Data`, `[UInt8]`, `String` or `JSON`.
    ///   - keyPath: The key path of the collection, as for `mapAll`. Defaults to the payload itself.
    ///   - shape: How the elements are arranged: in an array, as the members of an object, or one per line.
    ///   - options: Metadata and limits; the log is not used. The number of keys is limited by `issueCount`.
    /// - Throws: `MappingError` for invalid JSON, an unresolved key path and errors of the mapping. Other issues of the
    ///   payload are ignored.
    public func unreadKeys(
        of payload: some JSONInput, at keyPath: JSONKeyPath = "", each shape: ElementShape = .element,
        options: MappingOptions = MappingOptions()
    ) throws(MappingError) -> [String] {
        var seen: Set<String> = []
        let most = options.limits.issueCount
        let reading = try traced(payload, at: keyPath, each: shape, options: options, objectLimit: nil) {
            maker -> [String] in
            guard seen.count < most else { return [] }
            return maker.unreadKeys.map(\.path.generalText).filter { seen.insert($0).inserted }
        }
        guard reading.issues.isEmpty else { throw MappingError(reading.issues) }
        return Array(reading.values.prefix(most))
    }

    /// Returns an issue for each key of a payload that no rule reads, with its position and the nearest mapped key.
    ///
    /// Use it to reject misspelled keys, for example in a configuration file:
    ///
    /// ```swift
    /// var report = MappingReport(policy: .collect)
    /// let settings = try Settings.mapping.map(data, report: &report)
    /// let issues = try report.issues + Settings.mapping.unreadKeyIssues(of: data)
    /// ```
    ///
    /// It takes about 50 times as long as `mapAll` if elements have unread keys.
    ///
    /// - Parameters:
    ///   - payload: `Data`, `[UInt8]`, `String` or `JSON`.
    ///   - keyPath: The key path of the collection, as for `mapAll`. Defaults to the payload itself.
    ///   - shape: How the elements are arranged: in an array, as the members of an object, or one per line.
    ///   - options: Metadata and limits; the log is not used.
    /// - Returns: Issues of kind ``MappingIssue/Kind-swift.enum/unreadKey``, in the order of the text.
    /// - Throws: `MappingError` for invalid JSON, an unresolved key path and errors of the mapping. Other issues of the
    ///   payload are ignored.
    public func unreadKeyIssues(
        of payload: some JSONInput, at keyPath: JSONKeyPath = "", each shape: ElementShape = .element,
        options: MappingOptions = MappingOptions()
    ) throws(MappingError) -> [MappingIssue] {
        let reading = try traced(
            payload, at: keyPath, each: shape, options: options, objectLimit: nil, \.unreadKeyIssues)
        guard reading.issues.isEmpty else { throw MappingError(reading.issues) }
        return reading.values
    }

    /// Maps a payload with a traced plan, and passes each element to a closure.
    ///
    /// - Parameter objectLimit: The maximum number of traced objects, of the payload and of each relationship; `nil`
    ///   for all.
    private func traced<Payload: JSONInput, Value>(
        _ payload: Payload, at keyPath: JSONKeyPath, each shape: ElementShape, options: MappingOptions,
        objectLimit: Int?, _ body: (ExplanationMaker) -> [Value]
    ) throws(MappingError) -> TracedReading<Value> {
        let compiled = try storage.compiledForTracing()
        let session = compiled.isRegistering ? MappingSession() : nil
        let run = DecodeRun(
            plan: compiled.plan, objects: compiled.objects, source: session.map { SourceDecode($0) },
            options: options, model: Model.self)
        return payload.withJSONView { bytes in
            var reading = TracedReading<Value>(
                run: run, bytes: bytes, isText: payload.hasPositions, objectLimit: objectLimit ?? .max)
            reading.read(Model.self, at: keyPath, each: shape, body)
            _ = run.source?.commit()
            reading.add(session?.unresolved ?? [])
            return reading
        }
    }
}

extension MappingExplanation: CustomStringConvertible {
    /// The explanation, with one rule per line, without values of the payload.
    public var description: String { text(values: false) }

    /// The `description` with the values, which may be private data: do not log them.
    public var details: String { text(values: true) }

    private func text(values: Bool) -> String {
        var lines = issues.map { values ? $0.details : $0.description }
        for object in objects { object.write(to: &lines, indent: "", values: values) }
        for connection in unresolved {
            let keys = values ? ": \(connection.keys.joined(separator: "; "))" : ""
            lines.append(
                "\(connection.connection)\(connection.count == 1 ? "" : " in \(connection.count) objects")\(keys)")
        }
        if hasMore { lines.append("… more elements, not read") }
        if lines.isEmpty { lines.append("no elements") }
        return lines.joined(separator: "\n")
    }
}

extension MappingExplanation.Object {
    fileprivate func write(to lines: inout [String], indent: String, values: Bool) {
        let place = line > 0 ? " (\(line):\(column))" : ""
        lines.append("\(indent)\(path) \(model)\(place)\(isMade ? "" : ": no model created")")
        let inner = indent + "  "
        for issue in issues { lines.append(inner + "\(values ? issue.details : issue.description)") }
        for rule in rules { rule.write(to: &lines, indent: inner, values: values) }
        if !unreadKeys.isEmpty {
            lines.append("\(inner)unread keys: \(unreadKeys.map(\.text).joined(separator: ", "))")
        }
    }
}

extension MappingExplanation.Unresolved: CustomReflectable {
    /// The connection and the number of objects, without the keys.
    public var customMirror: Mirror { Mirror(self, children: ["connection": connection, "count": count]) }
}

extension MappingExplanation.Rule: CustomStringConvertible, CustomReflectable {
    /// The rule and its result on one line, without values of the payload.
    public var description: String { text(values: false) }

    /// The `description` with the value, which may be private data: do not log it.
    public var details: String { text(values: true) }

    /// The description and the objects, without values.
    public var customMirror: Mirror { Mirror(self, children: ["rule": description, "objects": objects]) }

    fileprivate func write(to lines: inout [String], indent: String, values: Bool) {
        lines.append(indent + text(values: values))
        for object in objects { object.write(to: &lines, indent: indent + "  ", values: values) }
        let rest = objectCount - objects.count
        if rest > 0 { lines.append("\(indent)  … \(rest) more \(rest == 1 ? "object" : "objects")") }
    }

    private func text(values: Bool) -> String {
        var text = "\(rule): "
        if line > 0 { text += "\(line):\(column) " }
        if let path { text += "\(path), " }
        text += "\(found)\(values ? value.map { " \($0)" } ?? "" : ""): \(outcomeText(values: values))"
        return text + suggestionText(suggestions)
    }
}

extension MappingExplanation.Rule {
    private func outcomeText(values: Bool) -> String {
        let count = modelCount == objectCount ? "\(objectCount)" : "\(modelCount) of \(objectCount)"
        return switch outcome {
        case .set where objectCount > 0: "set, \(count) \(objectCount == 1 ? "object" : "objects")"
        case .set: "set"
        case .converted(let type): "set, converted to \(type)"
        case .cleared: "cleared"
        case .absent: "unchanged"
        case .skipped(let reason): reason
        case .failed(let issues): issues.map { text(of: $0, values: values) }.joined(separator: "; ")
        }
    }

    /// Returns an issue for the line of its rule: without the rule, and without the path if it is the same.
    private func text(of issue: MappingIssue, values: Bool) -> String {
        var text = issue.path == path || path == nil ? "" : "\(issue.path): "
        text += "expected \(issue.expected), found \(issue.found)"
        text += suggestionText(issue.suggestions)
        if values, issue.path != path, let value = issue.value { text += ", value \(value)" }
        return text
    }
}

extension MappingExplanation.UnreadKey {
    fileprivate var text: String { printable(key) + (suggestions.first.map { " (near '\(printable($0))')" } ?? "") }
}
