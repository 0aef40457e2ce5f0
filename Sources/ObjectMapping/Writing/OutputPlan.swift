/// A mapping compiled for writing: nodes of entries that serializations run over.
final class OutputPlan: @unchecked Sendable {  // guarded by never changing once `OutputBuilder` has made it
    let root: OutputBox
    let rules: [Plan.Rule]
    /// For each node, by which merge patches are made.
    let shapes: [MergePatch.Shape]
    /// The properties that tell the models of relationships apart.
    let identity: Set<AnyKeyPath>
    private let nodes: [Ref<OutputNode>]
    private let keys: [Bytes]
    private let boxes: [OutputBox]

    init(
        root: OutputBox, rules: [Plan.Rule], shapes: [MergePatch.Shape], identity: Set<AnyKeyPath>,
        nodes: [Ref<OutputNode>], keys: [Bytes], boxes: [OutputBox]
    ) {
        self.root = root
        self.rules = rules
        self.shapes = shapes
        self.identity = identity
        self.nodes = nodes
        self.keys = keys
        self.boxes = boxes
    }

    deinit {
        for node in nodes {
            node.pointee.memberKey?.deallocate()
            node.pointee.entries.deallocate()
            node.deallocate()
        }
        for key in keys { key.deallocate() }
    }
}
