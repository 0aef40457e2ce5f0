/// A value near the top of a dump: what is in it, by its kinds.
final class OutlineNode {
    enum Kind { case object, array, string, integer, other, null }

    let key: String
    let kind: Kind
    /// The members of an object, or nothing below the depth that is looked at.
    var members: [OutlineNode] = []
    /// How many members or elements there are, of each kind.
    var objects = 0
    var arrays = 0
    var scalars = 0
    /// How many of the scalars are null.
    var nulls = 0
    /// Where a container begins, and where it ends; 0 if that is not known.
    let start: Int
    var end = 0
    /// Whether it stands too deep for what is in it to be looked at.
    var isDeep = false
    /// Members beyond those that are kept.
    var isLarge = false

    init(key: String, kind: Kind, start: Int = 0) {
        self.key = key
        self.kind = kind
        self.start = start
    }

    /// The bytes of a container; nil if its end was not read.
    var range: Range<Int>? { end > start ? start..<end : nil }

    var count: Int { objects + arrays + scalars }
}
