/// What a decode tells while it runs, for an explanation: which rules met a value in which object, and what came of it.
final class Trace {
    /// The objects that the element is; several under keys that are data.
    private(set) var roots: [TracedObject] = []
    /// Of the findings those that belong to no object, by their numbers.
    private(set) var rest: [Int] = []
    /// Everything that was found in the element.
    private(set) var findings: [Finding] = []
    /// Keys that were read beside the rules, by the offset of their object.
    private(set) var otherKeys: [Int: Set<String>] = [:]
    /// How many objects of one relationship are told of.
    private let objectLimit: Int
    /// The objects that are open, outermost first.
    private var frames: [Frame] = []
    /// How many objects are open that are not told of.
    private var muted = 0
    /// How many of the reader's findings have gone to an object or a rule.
    private var claimed = 0

    private struct Frame {
        let object: TracedObject
        /// The rule that is at work in it; nil between two.
        var rule: TracedRule?
    }

    init(objectLimit: Int) { self.objectLimit = objectLimit }

    // MARK: For boxes that have something to say

    /// Says why the rule at work does not do what is usual, as "left alone: the stored one is newer".
    func note(_ text: String) { if muted == 0 { frames.last?.rule?.notes.append(text) } }

    /// Reports that the current rule makes no value, although there is no issue.
    func leaveUnset() { if muted == 0 { frames.last?.rule?.isSet = false } }

    /// Reports that the object being read becomes no model, although its text is sound.
    func leaveUnmade() {
        if muted == 0, let frame = frames.last, frame.rule == nil { frame.object.isLeftOut = true }
    }

    /// Says that a key of the object at an offset is read, though no rule for it stands in the plan.
    func read(_ key: String, at offset: Int) { otherKeys[offset, default: []].insert(key) }

    // MARK: For the boxes of a traced plan

    func beginObject(_ reader: borrowing PlanReader, _ place: Bytes, _ node: NodeRef, _ model: Any.Type) {
        if muted > 0 || reader.source?.isRereading == true || hasEnough {
            muted += 1
            return
        }
        claim(reader)
        if let frame = frames.last, frame.rule == nil {
            // The same value again, or what is wrapped in it, by a mapping that this one is made of or that was chosen.
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

    /// - Returns: Whether there is a model of the object.
    @discardableResult func endObject(_ reader: borrowing PlanReader, isMade: Bool) -> Bool {
        if muted > 0 {
            muted -= 1
            if muted == 0, isMade, reader.source?.isRereading != true { frames.last?.rule?.madeCount += 1 }
            return isMade
        }
        claim(reader)
        let object = frames.removeLast().object
        object.isMade = isMade && !object.isLeftOut
        if object.isMade { frames.last?.rule?.madeCount += 1 }
        return object.isMade
    }

    /// A rule is about to read a value; nil if that is not told.
    func beginRule(_ number: Int32, _ reader: borrowing PlanReader, _ place: Bytes) -> TracedRule? {
        // What is read again was traced the first time.
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

    /// A property is cleared though there is no value: null stands further out, or absence clears it.
    func clearedWithoutValue(_ number: Int32, _ reader: borrowing PlanReader) {
        guard muted == 0, reader.source?.isRereading != true, let object = frames.last?.object else { return }
        let rule = TracedRule(number, offset: nil, kind: nil, value: nil)
        rule.isCleared = true
        object.rules.append(rule)
    }

    /// The reader dropped all but the first findings.
    func didDropFindings(after count: Int) {
        guard count < claimed else { return }
        claimed = count
        rest.removeAll { $0 >= count }
        for object in roots { object.dropFindings(after: count) }
    }

    /// The element is read.
    func finish(_ reader: borrowing PlanReader) {
        frames = []
        claim(reader)
        findings = reader.findings.kept
    }

    /// What was found since the last time goes to what is at work.
    private func claim(_ reader: borrowing PlanReader) {
        // By their numbers, as their offsets may still change.
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

/// An object as a decode read it.
final class TracedObject {
    /// What is made of it; first what was asked for, then the types that this is made of.
    var models: [Any.Type]
    var node: NodeRef
    var offset: Int
    /// Whether it stands in the text, or was put together from values of it.
    let hasPlaces: Bool
    /// In the order of the text.
    var rules: [TracedRule] = []
    /// Those that belong to no value of a rule, as keys that are absent; by their numbers among the element's.
    var findings: [Int] = []
    var isMade = false
    /// Whether the object was skipped where it was to replace a model.
    fileprivate(set) var isLeftOut = false

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

/// A value as a rule read it.
final class TracedRule {
    let number: Int32
    /// Where the value stands; nil where it is null because something further out is.
    let offset: Int?
    /// Of the value; nil if there is none.
    let kind: JSONKind?
    /// Whether the value was read where it stands, or was put together elsewhere.
    var isInPlace = false
    /// The start of the value.
    let value: String?
    /// By their numbers, as those of the object.
    var findings: [Int] = []
    var notes: [String] = []
    /// As many as are told of.
    var objects: [TracedObject] = []
    var objectCount = 0
    /// How many of them became models.
    var madeCount = 0
    /// Whether the property was set; only where nothing was found.
    var isSet = true
    var isCleared = false
    /// What the value became, if it is of another kind.
    var conversion: String?

    init(_ number: Int32, offset: Int?, kind: JSONKind?, value: String?) {
        self.number = number
        self.offset = offset
        self.kind = kind
        self.value = value
    }
}
