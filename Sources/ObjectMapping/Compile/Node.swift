/// What is done with one member: plain data, so that no reference is counted while a plan runs.
struct Entry {
    var operation: Operation
    /// Whether an object without the member is an issue.
    var isRequired = false
    /// Whether an object without the member clears what the entry sets.
    var isClearedWhenAbsent = false
    /// Whether null is a value of the destination.
    var acceptsNull = false
    /// What null does; of a step of key paths, whether it is an issue to any rule below.
    var nullPolicy = NullPolicy.clear
    /// The scalar of a slot.
    var scalar = AttributeType.Scalar.string
    var isList = false
    /// Whether a null element of a list is an issue.
    var refusesNullElements = false
    /// Whether the value may be taken before the object is read to its end: then the key must not come again.
    var isWatched = false
    /// Index among the plan's rules, -1 for none.
    var rule: Int32 = -1
    /// Bytes from the start of the model, or the index of a slot, or of a relationship.
    var offset = 0
    /// The rules for the members of the value.
    var child: NodeRef?
    /// Kept alive by the plan.
    var box: Borrowed<ValueBox>?
}

/// An entry of a plan, which owns it.
typealias EntryRef = Ref<Entry>
/// A node of a plan, which owns it.
typealias NodeRef = Ref<Node>

/// A key as it stands between its quotes.
struct KeyText {
    /// Its first eight bytes.
    var head: UInt64
    /// Which bits of `head` count.
    var mask: UInt64
    /// Its last eight bytes, if it has more than eight.
    var last: UInt64
    var bytes: Bytes
    var count: Int

    /// Whether a text begins with this key and the closing quote.
    @inline(__always) func matches(_ place: Bytes) -> Bool {
        place.word & mask == head && place[count] == .quote
            && (count <= 8 || ((place + (count &- 8)).word == last && matchesMiddle(place)))
    }

    @inline(__always) private func matchesMiddle(_ place: Bytes) -> Bool {
        count <= 16 || (place + 8).isSame(as: bytes + 8, count &- 16)
    }

    /// A copy of a key, whose bytes are to be deallocated.
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

/// The rules for the members of one object: a position of the trie into which all key paths are merged.
struct Node {
    var entries: EntryRef
    var keys: KeyTable
    /// Index among the plan's nodes.
    var id: Int
    /// Bit `i`: the absence of entry `i`, or of one that it holds, is an issue or clears; only the first 64 entries.
    var required: UInt64
    /// More than 64 entries: which were seen is noted outside the fast path.
    var isWide: Bool
    /// Whether the objects are kept as the context of what is read in them.
    var keepsContext = false
    /// Whether all keys are watched that sources look up in objects around others.
    var watchesContextKeys = false
    /// Whether a data source may find objects that the values of members are, or contain.
    var holdsIdentities = false
    /// Whether anything but reading the keys is to be done when an object begins, and when it ends.
    var opens = false
    var finishes = false
    /// Whose properties the entries set.
    var model: Borrowed<ModelBox>?
    /// The rule for the value as a whole: operators at its root, `""`.
    var whole: EntryRef?
    /// The columns put together from several values once the object is read.
    var completion: Borrowed<RowCompletion>?
    /// The rules for what stands around the object.
    var context: Borrowed<ContextRules>?
    /// Rows: index of the entity and the number of slots.
    var entity: Int32 = -1
    var slotCount: Int32 = 0

    var count: Int { keys.count }

    /// The index of a key's entry, -1 for none.
    @inline(__always) func find(_ bytes: Bytes, _ count: Int) -> Int { keys.find(bytes, count) }
}
