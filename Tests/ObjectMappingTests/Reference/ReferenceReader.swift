import ObjectMapping

/// Maps a plain tree rule by rule: slow, and simple enough to be trusted.
struct ReferenceReader {
    /// The result of a mapping for an object: the text of each property that differs from a new model.
    final class Object {
        let model: ReferenceModel
        var values: [Int: String] = [:]
        /// Properties with invalid values.
        var troubled: Set<Int> = []

        init(_ model: ReferenceModel) { self.model = model }

        var text: String {
            let parts = values.sorted { $0.key < $1.key }
                .filter { $0.value != model.properties[$0.key].fresh }
                .map { "\(model.properties[$0.key].name): \($0.value)" }
            return "\(model.name)(\(parts.joined(separator: ", ")))"
        }
    }

    let mappings: [ReferenceMapping]
    private let levels: [ReferenceLevel]
    private(set) var issues: [ReferenceIssue] = []

    init(_ mappings: [ReferenceMapping]) {
        self.mappings = mappings
        levels = mappings.map { ReferenceLevel($0.rules) }
    }

    /// Whether a mapping has no rule for the whole value, so that it requires an object.
    func isWithoutWhole(_ mapping: Int) -> Bool { levels[mapping].whole.isEmpty }

    // MARK: Documents

    /// The result of `map` for a document.
    mutating func map(_ document: PlainNode) -> String {
        let object = Object(mappings[0].model)
        guard let elements = document.array, levels[0].whole.isEmpty else {
            read(document, 0, object, nil)
            return object.text
        }
        if let first = elements.first { read(first, 0, object, nil) }
        if elements.count != 1 { note(.manyElements, document, nil) }
        return object.text
    }

    /// The result of `mapAll` for a document.
    mutating func mapAll(_ document: PlainNode) -> String {
        let elements = document.array ?? [document]
        let texts = elements.filter { !$0.isNull }.map { element in
            let object = Object(mappings[0].model)
            read(element, 0, object, nil)
            return object.text
        }
        return "[\(texts.joined(separator: ", "))]"
    }

    mutating func note(
        _ kind: MappingIssue.Kind, _ node: PlainNode, _ base: PlainNode.Place?, _ rule: ReferenceRule? = nil,
        of object: Object? = nil
    ) {
        guard let place = node.place ?? base else { preconditionFailure("a value without a place") }
        note(kind, place)
        if let rule { object?.troubled.insert(rule.destination) }
    }

    private mutating func note(_ kind: MappingIssue.Kind, _ place: PlainNode.Place, key: String? = nil) {
        let path = key.map { place.path + [.key($0)] } ?? place.path
        issues.append(ReferenceIssue(kind: kind, path: path.text, offset: place.offset))
    }

    // MARK: Objects

    /// Fills an object by a mapping; returns whether the value had the right kind.
    ///
    /// - Parameter base: The position of the value from which this one was created; nil for a value of the document.
    @discardableResult
    mutating func read(_ node: PlainNode, _ mapping: Int, _ object: Object, _ base: PlainNode.Place?) -> Bool {
        let level = levels[mapping]
        if node.isObject {
            members(of: node, level, object, base)
            if !level.whole.isEmpty { apply(level.whole, to: node, object, base) }
            finish(node, mappings[mapping], object, base)
            return true
        }
        guard !level.whole.isEmpty else {
            note(.typeMismatch, node, base)
            return false
        }
        apply(level.whole, to: node, object, base)
        noteMissing(in: node, level, object, seen: [], base)
        finish(node, mappings[mapping], object, base)
        return true
    }

    private mutating func members(
        of node: PlainNode, _ level: ReferenceLevel, _ object: Object, _ base: PlainNode.Place?
    ) {
        guard case .object(let members) = node.kind else { return }
        var seen: Set<[UInt8]> = []
        for (index, member) in members.enumerated() {
            let actions = level.actions(for: member.key)
            if actions.isEmpty { continue }
            let (count, troubled) = (issues.count, object.troubled)
            if !seen.insert(Array(member.key.utf8)).inserted {
                let place = PlainNode.Place(
                    offset: member.keyOffset, path: (node.place?.path ?? []) + [.key(member.key)])
                note(.duplicateKey, base ?? place)
                for action in actions {
                    for (_, rule) in ReferenceLevel.rules(below: action) { object.values[rule.destination] = nil }
                }
            }
            apply(actions, to: member.value, object, base)
            if members[(index + 1)...].contains(where: { $0.key.utf8.elementsEqual(member.key.utf8) }) {
                // Of a value that is replaced, only the warnings remain.
                issues = issues.prefix(count) + issues[count...].filter { $0.kind == .duplicateKey }
                object.troubled = troubled
            }
        }
        noteMissing(in: node, level, object, seen: seen, base)
    }

    /// Reports missing keys at which a required rule begins, one issue per key.
    private mutating func noteMissing(
        in node: PlainNode, _ level: ReferenceLevel, _ object: Object, seen: Set<[UInt8]>,
        _ base: PlainNode.Place?
    ) {
        for key in level.keys where !seen.contains(Array(key.utf8)) {
            let rules = level.actions(for: key).flatMap { ReferenceLevel.rules(below: $0) }
            guard rules.contains(where: \.rule.isRequired), let place = node.place ?? base else { continue }
            note(.missing, place, key: key)
            object.troubled.formUnion(rules.map(\.rule.destination))
        }
    }

    private mutating func apply(
        _ actions: [ReferenceLevel.Action], to node: PlainNode, _ object: Object, _ base: PlainNode.Place?
    ) {
        for action in actions {
            switch action {
            case .rule(let rule): apply(rule, to: node, object, base)
            case .operation(let path, let rule): apply(rule, at: path, of: node, object, base)
            case .level(let level):
                let rules = ReferenceLevel.rules(below: action)
                switch node.kind {
                case .object: members(of: node, level, object, base)
                case .array: for (path, rule) in rules { apply(rule, at: path, of: node, object, base) }
                default:
                    if node.isNull { for (_, rule) in rules { clear(rule, object) } }
                    let required = rules.map(\.rule).filter(\.isRequired)
                    let isNullEnough = node.isNull && required.allSatisfy { type(of: $0, object).acceptsNull }
                    guard !required.isEmpty, !isNullEnough else { continue }
                    note(.typeMismatch, node, base)
                    object.troubled.formUnion(rules.map(\.rule.destination))
                }
            }
        }
    }

    // MARK: Rules

    private func type(of rule: ReferenceRule, _ object: Object) -> ReferenceType {
        object.model.properties[rule.destination].type
    }

    private func clear(_ rule: ReferenceRule, _ object: Object) {
        switch type(of: rule, object) {
        case .column: object.values[rule.destination] = "null"
        case .rows(let isToMany): object.values[rule.destination] = isToMany ? "[none]" : "none"
        case let type: object.values[rule.destination] = type.acceptsNull ? "nil" : nil
        }
    }

    /// Applies the rest of a key path to the tree of the value.
    private mutating func apply(
        _ rule: ReferenceRule, at path: [JSONKeyPath.Component], of node: PlainNode, _ object: Object,
        _ base: PlainNode.Place?
    ) {
        do throws(ReferenceMismatch) {
            guard let value = try node.deduplicated.value(at: path[...]) else {
                if rule.isRequired { note(.missing, node, base, rule, of: object) }
                return
            }
            apply(rule, to: value, object, node.place ?? base)
        } catch {
            note(.typeMismatch, PlainNode(kind: .null, place: error.place), node.place ?? base, rule, of: object)
        }
    }

    private mutating func apply(
        _ rule: ReferenceRule, to node: PlainNode, _ object: Object, _ base: PlainNode.Place?
    ) {
        let type = type(of: rule, object)
        if node.isNull {
            if rule.isRequired, !type.acceptsNull { return note(.typeMismatch, node, base, rule, of: object) }
            return clear(rule, object)
        }
        if isAggregate(rule, type), node.isObject, !holdsKey(of: rule.child, node) {
            if rule.isRequired { note(.missing, node, base, rule, of: object) }
            return
        }
        let before = issues.count
        let text: String?
        switch type {
        case .column(let type, let pattern): text = column(node, type, pattern, base)
        case .rows(let isToMany): text = rows(node, isToMany: isToMany, rule, base)
        default: text = convert(node, type, rule, base)
        }
        if let text { object.values[rule.destination] = text }
        if issues.count > before { object.troubled.insert(rule.destination) }
    }

    /// Whether a rule creates an object from keys of the same object.
    private func isAggregate(_ rule: ReferenceRule, _ type: ReferenceType) -> Bool {
        switch type {
        case .one, .many: rule.source.components.isEmpty
        default: false
        }
    }

    /// Whether an object has any key of a mapping.
    private func holdsKey(of mapping: Int, _ node: PlainNode, nesting: Int = 1) -> Bool {
        let level = levels[mapping]
        let isWholeWanted = level.whole.contains { action in
            guard case .rule(let rule) = action,
                isAggregate(rule, mappings[mapping].model.properties[rule.destination].type)
            else { return true }
            return nesting >= 16 || holdsKey(of: rule.child, node, nesting: nesting + 1)
        }
        return isWholeWanted || holdsKey(of: level, node)
    }

    private func holdsKey(of level: ReferenceLevel, _ node: PlainNode) -> Bool {
        guard case .object(let members) = node.kind else { return node.isNull || node.array != nil }
        return members.contains { member in
            level.actions(for: member.key).contains { action in
                guard case .level(let level) = action else { return true }
                return holdsKey(of: level, member.value)
            }
        }
    }

    /// Converts a value that is not null; nil if it is an issue.
    private mutating func convert(
        _ node: PlainNode, _ type: ReferenceType, _ rule: ReferenceRule, _ base: PlainNode.Place?
    ) -> String? {
        switch type {
        case .optional(let wrapped): return node.isNull ? "nil" : convert(node, wrapped, rule, base)
        case .list(let element), .set(let element):
            var texts: [String] = []
            var isSound = true
            for value in node.array ?? [node] {
                if let text = convert(value, element, rule, base) { texts.append(text) } else { isSound = false }
            }
            guard isSound else { return nil }
            if case .set = type { texts = Set(texts).sorted() }
            return "[\(texts.joined(separator: ", "))]"
        case .one:
            let child = Object(mappings[rule.child].model)
            return read(node, rule.child, child, base) ? child.text : nil
        case .many:
            var texts: [String] = []
            for value in node.array ?? [node] where !value.isNull {
                let child = Object(mappings[rule.child].model)
                if read(value, rule.child, child, base) { texts.append(child.text) }
            }
            return "[\(texts.joined(separator: ", "))]"
        default:
            switch ReferenceConversion.convert(node, type) {
            case .success(let text): return text
            case .failure(let mismatch):
                note(mismatch.kind, node, base)
                return nil
            }
        }
    }
}
