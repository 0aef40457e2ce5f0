/// A value near the top of a dump, with counts of its children by kind.
final class OutlineNode {
    enum Kind { case object, array, string, integer, other, null }

    let key: String
    let kind: Kind
    /// The members of an object; empty below the maximum depth.
    var members: [OutlineNode] = []
    /// The numbers of members or elements by kind.
    var objects = 0
    var arrays = 0
    var scalars = 0
    /// The number of nulls among the scalars.
    var nulls = 0
    /// The start and the end of a container; 0 if they are not known.
    let start: Int
    var end = 0
    /// Whether it is below the maximum depth.
    var isDeep = false
    /// Whether it has more than the maximum number of members.
    var isLarge = false

    init(key: String, kind: Kind, start: Int = 0) {
        self.key = key
        self.kind = kind
        self.start = start
    }

    /// The range of a container; `nil` if its end was not read.
    var range: Range<Int>? { end > start ? start..<end : nil }

    var count: Int { objects + arrays + scalars }
}
