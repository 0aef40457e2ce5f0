/// What a decode tells while it runs, for an explanation: which rules met a value in which object, and what came of it.
final class Trace {
    /// The object that was read first.
    private(set) var root: TracedObject?
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
    func note(_ text: String) {
        if muted == 0 { frames.last?.rule?.notes.append(text) }
    }

    /// Says that a key of the object at an offset is read, though no rule for it stands in the plan.
    func read(_ key: String, at offset: Int) { otherKeys[offset, default: []].insert(key) }

    // MARK: For the boxes of a traced plan

    func beginObject(_ reader: PlanReader, _ place: Bytes, _ node: UnsafeMutablePointer<Node>, _ model: Any.Type) {
        if muted > 0 || hasEnough {
            muted += 1
            return
        }
        claim(reader)
        if let frame = frames.last, frame.rule == nil {
            // The same value again, by a mapping that this one is made of or that was chosen.
            frame.object.models.append(model)
            frame.object.node = node
            frames.append(frame)
        } else {
            let object = TracedObject(model, node, reader.offset(place), hasPlaces: reader.hasPlaces)
            frames.last?.rule?.objects.append(object)
            root = root ?? object
            frames.append(Frame(object: object))
        }
    }

    private var hasEnough: Bool {
        guard let rule = frames.last?.rule else { return false }
        rule.objectCount += 1
        return rule.objects.count >= objectLimit
    }

    func endObject(_ reader: PlanReader, isMade: Bool) {
        if muted > 0 {
            muted -= 1
            if muted == 0, isMade { frames.last?.rule?.madeCount += 1 }
            return
        }
        claim(reader)
        frames.removeLast().object.isMade = isMade
        if isMade { frames.last?.rule?.madeCount += 1 }
    }

    /// A rule is about to read a value; nil if that is not told.
    func beginRule(_ number: Int32, _ reader: PlanReader, _ place: Bytes) -> TracedRule? {
        guard muted == 0, let object = frames.last?.object else { return nil }
        claim(reader)
        let rule = TracedRule(
            number, offset: reader.offset(place), kind: FoundKind(place), value: reader.excerpt(place))
        object.rules.append(rule)
        frames[frames.count - 1].rule = rule
        return rule
    }

    func endRule(_ rule: TracedRule, _ reader: PlanReader) {
        claim(reader)
        frames[frames.count - 1].rule = nil
    }

    /// Null further out clears what a rule sets.
    func clearedFromOutside(_ number: Int32) {
        guard muted == 0, let object = frames.last?.object else { return }
        let rule = TracedRule(number, offset: nil, kind: .absent, value: nil)
        rule.isCleared = true
        object.rules.append(rule)
    }

    /// What was found since the last time goes to what is at work.
    private func claim(_ reader: PlanReader) {
        let kept = reader.findings.kept
        // A new element begins without findings.
        let new = kept.dropFirst(frames.isEmpty ? 0 : claimed)
        claimed = kept.count
        guard !new.isEmpty, let object = frames.last?.object else { return }
        if let rule = frames.last?.rule { rule.findings += new } else { object.findings += new }
    }
}

/// An object as a decode read it.
final class TracedObject {
    /// What is made of it; first what was asked for, then the types that this is made of.
    var models: [Any.Type]
    var node: UnsafeMutablePointer<Node>
    let offset: Int
    /// Whether it stands in the text, or was put together from values of it.
    let hasPlaces: Bool
    /// In the order of the text.
    var rules: [TracedRule] = []
    /// Those that belong to no value of a rule, as keys that are absent.
    var findings: [Finding] = []
    var isMade = false

    init(_ model: Any.Type, _ node: UnsafeMutablePointer<Node>, _ offset: Int, hasPlaces: Bool) {
        models = [model]
        self.node = node
        self.offset = offset
        self.hasPlaces = hasPlaces
    }
}

/// A value as a rule read it.
final class TracedRule {
    let number: Int32
    /// Where the value stands; nil where it is null because something further out is.
    let offset: Int?
    let kind: FoundKind
    /// The start of the value.
    let value: String?
    var findings: [Finding] = []
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

    init(_ number: Int32, offset: Int?, kind: FoundKind, value: String?) {
        self.number = number
        self.offset = offset
        self.kind = kind
        self.value = value
    }
}
