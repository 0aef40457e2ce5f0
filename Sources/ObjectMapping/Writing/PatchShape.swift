/// What a node writes, by which a merge patch is made of two trees.
struct PatchShape {
    struct Member {
        /// The nodes that write the value's members; none if a value is written whole.
        var nodes: [Int] = []
        /// Whether some of those members are the same model's.
        var isLevel = false
        /// Whether the value is an array whose order means nothing.
        var isUnordered = false
        var keyPaths: [AnyKeyPath] = []
    }

    var members: [ExactText: Member] = [:]
    /// Whether any key may be written, as by a value whose members are those of the object.
    var ownsAll = false
    /// The nodes whose members are written into the same object.
    var merged: [Int] = []
}
