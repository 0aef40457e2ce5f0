/// The output of one member: plain data, so that no references are counted while a plan runs.
struct OutputEntry {
    var operation: Operation
    /// The rule's policy for `nil`.
    var whenNil: WhenNil?
    /// The index among the plan's rules; -1 for none.
    var rule: Int32 = -1
    /// The offset in the model.
    var offset = 0
    /// The key with the preceding comma, quotes and colon, followed by 16 readable bytes.
    var key: Bytes
    var keySize = 0
    /// The members of a level.
    var child: Ref<OutputNode>?
    /// Retained by the plan; for a keyed level, the box that writes the key.
    var box: Borrowed<OutputBox>?
}

/// The members of one object, in the order of the rules.
struct OutputNode {
    var entries: Ref<OutputEntry>
    var count = 0
    /// The index among the plan's nodes.
    let id: Int
    /// Whether two rules can write the same key, which requires combining members as trees.
    var isMerged = false
    /// Whether the only rule is for the whole value, which may not be an object.
    var isValue = false
    /// Whether an object can contain itself, or another object written by the same rules.
    var isRecursive = false
    /// The number of keys that are values of the model, above the innermost object.
    var keyCount = 0
    /// The rule for the key of the object itself.
    var memberKey: Ref<OutputEntry>?
}

/// A mapping compiled for writing: nodes of entries that serializations run over.
struct OutputPlan: @unchecked Sendable {  // immutable once `OutputBuilder` has created it
    let root: OutputBox
    let rules: [Plan.Rule]
    /// The shape of merge patches for each node.
    let shapes: [MergePatch.Shape]
    /// The nodes that write managed objects, by their ids.
    let stored: [Int: StoredNode]
    /// The properties that identify the models of relationships.
    let identity: Set<AnyKeyPath>
    /// Errors in the mapping that do not prevent writing.
    let warnings: [MappingIssue]
    /// Retains the boxes and nodes.
    let memory: PlanMemory

    /// The objects to read before managed objects are written.
    struct StoredNode {
        let type: any StoredModel.Type
        let isRecursive: Bool
        /// The properties with objects, and the nodes that write them.
        let relationships: [(property: AnyKeyPath, nodes: [Int])]
    }
}
