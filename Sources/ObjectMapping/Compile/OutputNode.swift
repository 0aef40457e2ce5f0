/// What is written for one member: plain data, so that no reference is counted while a plan runs.
struct OutputEntry {
    var operation: Operation
    /// What the rule says of nil.
    var whenNil: WhenNil?
    /// Index among the plan's rules, -1 for none.
    var rule: Int32 = -1
    /// Bytes from the start of the model.
    var offset = 0
    /// The key with the comma before it, quotes and colon, followed by 16 readable bytes.
    var key: Bytes
    var keySize = 0
    /// The members of a level.
    var child: Ref<OutputNode>?
    /// Kept alive by the plan; of a keyed level the one that writes the key.
    var box: Borrowed<OutputBox>?
}

/// The members of one object, in the order of the rules.
struct OutputNode {
    var entries: Ref<OutputEntry>
    var count = 0
    /// Index among the plan's nodes.
    let id: Int
    /// Two rules may write the same key, so members are put together as trees.
    var isMerged = false
    /// The only rule is for the value as a whole, which may be no object.
    var isValue = false
    /// Whether an object may contain another one that is written by the same rules, or itself.
    var isRecursive = false
    /// How many keys that are values of the model lead to the innermost object.
    var keyCount = 0
    /// The rule for the key under which the object itself stands.
    var memberKey: Ref<OutputEntry>?
}

/// A mapping compiled for writing: nodes of entries that serializations run over.
struct OutputPlan: @unchecked Sendable {  // guarded by never changing once `OutputBuilder` has made it
    let root: OutputBox
    let rules: [Plan.Rule]
    /// For each node, by which merge patches are made.
    let shapes: [MergePatch.Shape]
    /// The nodes that write objects of a store, by their ids.
    let stored: [Int: StoredNode]
    /// The properties that tell the models of relationships apart.
    let identity: Set<AnyKeyPath>
    /// Mistakes in the mapping with which models are written all the same.
    let doubts: [MappingIssue]
    /// Keeps alive what the boxes and nodes refer to.
    let memory: PlanMemory

    /// What is read before objects of a store are written.
    struct StoredNode {
        let type: any StoredModel.Type
        let isRecursive: Bool
        /// The properties that hold objects, and the nodes that write them.
        let relationships: [(property: AnyKeyPath, nodes: [Int])]
    }
}
