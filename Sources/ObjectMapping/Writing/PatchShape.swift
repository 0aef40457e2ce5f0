/// What a node writes, by which a merge patch is made of two trees.
struct PatchShape {
    struct Member {
        /// The nodes that write the value's members.
        var nodes: [Int] = []
        /// Whether a rule writes the value whole, so that any of its members may be written.
        var isWhole = false
        /// Whether some of those members are the same model's.
        var isLevel = false
        /// Whether the value is an array whose order means nothing.
        var isUnordered = false
        var keyPaths: [AnyKeyPath] = []
    }

    var members: [ExactText: Member] = [:]
    /// The same of keys that are values of the model.
    var keyed: Member?
    /// Whether any key may be written, as by a value whose members are those of the object.
    var ownsAll = false
    /// The nodes whose members are written into the same object.
    var merged: [Int] = []
}
