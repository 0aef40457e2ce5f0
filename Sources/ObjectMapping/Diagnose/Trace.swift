/// Records a decode for an explanation: which rules read a value in which object, and the results.
final class Trace {
    /// The objects of the element; several under data keys.
    private(set) var roots: [TracedObject] = []
    /// The indexes of findings that do not belong to an object.
    private(set) var rest: [Int] = []
    /// All findings of the element.
    private(set) var findings: [Finding] = []
    /// Key paths that were read without a rule, by the offset of their object.
    private(set) var otherPaths: [Int: [KnownPath]] = [:]
    /// The maximum number of traced objects per relationship.
    private let objectLimit: Int
    /// The open objects, outermost first.
    private var frames: [Frame] = []
    /// The number of open objects that are not traced.
    private var muted = 0
    /// The number of findings that were assigned to an object or a rule.
    private var claimed = 0

    private struct Frame {
        let object: TracedObject
        /// The active rule; `nil` between rules.
        var rule: TracedRule?
    }

    init(objectLimit: Int) { self.objectLimit = objectLimit }

    /// Creates an empty trace with the limits of another one.
    convenience init(like other: Trace) { self.init(objectLimit: other.objectLimit) }

    // MARK: Reports of boxes

    /// Records the reason for an unusual result of the active rule, such as "unchanged: the stored one is newer".
    func note(_ text: String) { if muted == 0 { frames.last?.rule?.notes.append(text) } }

    /// Records that the active rule sets no value without an issue.
    func leaveUnset() { if muted == 0 { frames.last?.rule?.isSet = false } }

    /// Records that no model is created for the current object, although its text is valid.
    func leaveUnmade() {
        if muted == 0, let frame = frames.last, frame.rule == nil { frame.object.isSkipped = true }
    }

    /// Records that a key path of the object at an offset is looked up without an entry in the plan.
    ///
    /// - Parameter isRead: Whether its value is used.
    func lookUp(_ keys: some Sequence<String>, at offset: Int, isRead: Bool) {
        otherPaths[offset, default: []].append(KnownPath(keys: Array(keys)[...], isRead: isRead))
    }

    // MARK: Calls of a traced plan

    func beginObject(_ reader: borrowing PlanReader, _ place: Bytes, _ node: NodeRef, _ model: Any.Type) {
        if muted > 0 || reader.source?.isRereading == true || hasEnough {
            muted += 1
            return
        }
        claim(reader)
        if let frame = frames.last, frame.rule == nil {
            // The same value again, or a wrapped one, with the mapping from which this one is created or which was
            // selected.
            frame.object.models.append(model)
            frame.object.node = node
            frame.object.offset = reader.offset(place)
            frames.append(frame)
        } else {
            let object = TracedObject(model, node, reader.offset(place), hasPlaces: reader.hasPlaces)
            frames.last?.rule?.objects.append(object)
            if frames.isEmpty { roots.append(object) }
            frames.append(Frame(object: object))
        }
    }

    private var hasEnough: Bool {
        guard let rule = frames.last?.rule else { return frames.isEmpty && roots.count >= objectLimit }
        rule.objectCount += 1
        return rule.objects.count >= objectLimit
    }

    /// - Returns: Whether a model was created for the object.
    @discardableResult func endObject(_ reader: borrowing PlanReader, isMade: Bool) -> Bool {
        if muted > 0 {
            muted -= 1
            if muted == 0, isMade, reader.source?.isRereading != true { frames.last?.rule?.madeCount += 1 }
            return isMade
        }
        claim(reader)
        let object = frames.removeLast().object
        object.isMade = isMade && !object.isSkipped
        if object.isMade { frames.last?.rule?.madeCount += 1 }
        return object.isMade
    }

    /// Starts a rule that reads a value; returns `nil` if it is not traced.
    func beginRule(_ number: Int32, _ reader: borrowing PlanReader, _ place: Bytes) -> TracedRule? {
        // A repeated read was already traced.
        guard muted == 0, reader.source?.isRereading != true, let object = frames.last?.object else { return nil }
        claim(reader)
        let rule = TracedRule(
            number, offset: reader.offset(place), kind: JSONKind(of: place), value: reader.excerpt(place))
        rule.isInPlace = reader.hasPlaces
        object.rules.append(rule)
        frames[frames.count - 1].rule = rule
        return rule
    }

    func endRule(_ rule: TracedRule, _ reader: borrowing PlanReader) {
        claim(reader)
        frames[frames.count - 1].rule = nil
    }

    /// Records that a property is cleared without a value: because of an outer null, or because of absence.
    func clearedWithoutValue(_ number: Int32, _ reader: borrowing PlanReader) {
        guard muted == 0, reader.source?.isRereading != true, let object = frames.last?.object else { return }
        let rule = TracedRule(number, offset: nil, kind: nil, value: nil)
        rule.isCleared = true
        object.rules.append(rule)
    }

    /// Removes all but the first findings.
    func didDropFindings(after count: Int) {
        guard count < claimed else { return }
        claimed = count
        rest.removeAll { $0 >= count }
        for object in roots { object.dropFindings(after: count) }
    }

    /// Ends the element.
    func finish(_ reader: borrowing PlanReader) {
        frames = []
        claim(reader)
        findings = reader.findings.kept
    }

    /// Assigns new findings to the active rule or object.
    private func claim(_ reader: borrowing PlanReader) {
        // By index, because offsets can still change.
        let count = reader.findings.kept.count
        let new = min(claimed, count)..<count
        claimed = new.upperBound
        guard !new.isEmpty else { return }
        if let rule = frames.last?.rule {
            rule.findings += new
        } else if let object = frames.last?.object {
            object.findings += new
        } else {
            rest += new
        }
    }
}

/// A key path that a rule looks up.
struct KnownPath {
    let keys: ArraySlice<String>
    /// Whether the value at the path is read.
    let isRead: Bool

    /// The path below its first key; `nil` for a path with another first key.
    func below(_ key: String) -> KnownPath? {
        keys.first == key ? KnownPath(keys: keys.dropFirst(), isRead: isRead) : nil
    }
}

/// An object that was read.
final class TracedObject {
    /// The types of the model: the requested one first, then those from which it is created.
    var models: [Any.Type]
    var node: NodeRef
    var offset: Int
    /// Whether it is in the text, and was not created from values in it.
    let hasPlaces: Bool
    /// The rules in the order of the text.
    var rules: [TracedRule] = []
    /// The indexes of findings that do not belong to a rule's value, such as absent keys.
    var findings: [Int] = []
    var isMade = false
    /// Whether the object was skipped although it should replace a model.
    fileprivate(set) var isSkipped = false

    init(_ model: Any.Type, _ node: NodeRef, _ offset: Int, hasPlaces: Bool) {
        models = [model]
        self.node = node
        self.offset = offset
        self.hasPlaces = hasPlaces
    }
}

extension TracedObject {
    fileprivate func dropFindings(after count: Int) {
        findings.removeAll { $0 >= count }
        for rule in rules {
            rule.findings.removeAll { $0 >= count }
            for object in rule.objects { object.dropFindings(after: count) }
        }
    }
}

/// A value that a rule read.
final class TracedRule {
    let number: Int32
    /// The offset of the value; `nil` if it is null because of an outer null.
    let offset: Int?
    /// The kind of the value; `nil` if it is absent.
    let kind: JSONKind?
    /// Whether the value was read at its place in the text.
    var isInPlace = false
    /// The start of the value.
    let value: String?
    /// The indexes of its findings.
    var findings: [Int] = []
    var notes: [String] = []
    /// The traced objects.
    var objects: [TracedObject] = []
    var objectCount = 0
    /// The number of objects for which a model was created.
    var madeCount = 0
    /// Whether the property was set; relevant only without findings.
    var isSet = true
    var isCleared = false
    /// The type of the converted value, if it has another kind.
    var conversion: String?

    init(_ number: Int32, offset: Int?, kind: JSONKind?, value: String?) {
        self.number = number
        self.offset = offset
        self.kind = kind
        self.value = value
    }
}
