/// The operation for one member: plain data, so that no references are counted while a plan runs.
struct Entry {
    var operation: Operation
    /// Whether an absent member is an issue.
    var isRequired = false
    /// Whether an absent member clears the destination.
    var isClearedWhenAbsent = false
    /// Whether null is a valid value of the destination.
    var acceptsNull = false
    /// The policy for null; for a step of key paths, whether null is an issue of a rule below.
    var nullPolicy = NullPolicy.clear
    /// The scalar of a slot.
    var scalar = AttributeType.Scalar.string
    var isList = false
    /// Whether a null element of a list is an issue.
    var refusesNullElements = false
    /// Whether the value may be used before the object is read completely, which requires the detection of duplicates.
    var isWatched = false
    /// The index among the plan's rules; -1 for none.
    var rule: Int32 = -1
    /// The offset in the model, or the index of a slot or of a relationship.
    var offset = 0
    /// The rules for the members of the value.
    var child: NodeRef?
    /// Retained by the plan.
    var box: Borrowed<ValueBox>?
}

/// An entry in the memory of a plan.
typealias EntryRef = Ref<Entry>

extension EntryRef {
    /// The rules that begin at the entry's key.
    var rules: [Int32] {
        guard [.level, .several].contains(pointee.operation) else { return [pointee.rule] }
        var rules: [Int32] = []
        pointee.box?.object.each { rules += $0.rules }
        return rules
    }
}

/// A node in the memory of a plan.
typealias NodeRef = Ref<Node>

/// A raw key, without its quotes.
struct KeyText {
    /// Its first eight bytes.
    var head: UInt64
    /// The significant bits of `head`.
    var mask: UInt64
    /// Its last eight bytes, if it has more than eight.
    var last: UInt64
    var bytes: Bytes
    var count: Int

    /// Whether a text starts with this key and a closing quote.
    @inline(__always) func matches(_ place: Bytes) -> Bool {
        place.word & mask == head && place[count] == .quote
            && (count <= 8 || ((place + (count &- 8)).word == last && matchesMiddle(place)))
    }

    @inline(__always) private func matchesMiddle(_ place: Bytes) -> Bool {
        count <= 16 || (place + 8).isSame(as: bytes + 8, count &- 16)
    }

    /// Copies a key; the caller must deallocate its bytes.
    init(copying bytes: Bytes, _ count: Int) {
        self.init(Bytes(.padded(bytes.raw(count), by: 16)), count)
    }

    /// The bytes must be followed by padding.
    init(_ bytes: Bytes, _ count: Int) {
        self.bytes = bytes
        self.count = count
        mask = count >= 8 ? .max : (1 &<< UInt64(count &* 8)) &- 1
        head = bytes.word & mask
        last = count > 8 ? (bytes + (count &- 8)).word : 0
    }
}

/// The rules for the members of one object: a node of the trie of all key paths.
struct Node {
    var entries: EntryRef
    var keys: KeyTable
    /// The index among the plan's nodes.
    var id: Int
    /// Bit `i`: the absence of entry `i`, or of one below it, is an issue or clears; only the first 64 entries.
    var required: UInt64
    /// Bit `i`: the key of entry `i` counts as a mapped key; only the first 64 entries.
    var mapped: UInt64 = 0
    /// Whether there are more than 64 entries, which are tracked outside of the fast path.
    var isWide: Bool
    /// Whether the objects are recorded as context.
    var keepsContext = false
    /// Whether duplicates of keys that sources look up in surrounding objects are detected.
    var watchesContextKeys = false
    /// Whether the values of members can be, or contain, objects that a data source finds.
    var holdsIdentities = false
    /// Whether an object requires other work than reading keys at its start and end.
    var needsSetup = false
    var needsCompletion = false
    /// The model with the properties that the entries set.
    var model: Borrowed<ModelBox>?
    /// The rule for the whole value: an operator at its root, or `""`.
    var valueEntry: EntryRef?
    /// The columns that are combined from several values after the object is read.
    var completion: Borrowed<RowCompletion>?
    /// The rules for values around the object.
    var context: Borrowed<ContextRules>?
    /// For rows: the index of the entity.
    var entity: Int32 = -1
    var slotCount: Int32 = 0

    var count: Int { keys.count }

    /// Returns the index of a key's entry; -1 for an unknown key.
    @inline(__always) func find(_ bytes: Bytes, _ count: Int) -> Int { keys.find(bytes, count) }
}
