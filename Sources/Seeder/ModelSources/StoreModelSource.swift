/// The source of the model of managed classes.
struct StoreModelSource {
    let outline: ModelOutline
    /// The name of the manifest in a comment.
    let title: String

    var lines: [String] {
        let types = outline.types
        let model = types.name("ObjectModel")
        let call = SourceLines.Call("try \(model)", outline.entities.map { "\($0.type).self" })
        return [
            "extension \(model) {",
            "    /// The model of the seed database of \(title), for `ManagedObjectStore.open(at:model:seed:)`.",
            "    static var seed: \(model) {", "        get throws(\(types.name("ModelError"))) {",
        ] + call.lines(width: SourceLines.width - 12, isLast: true).map { "            " + $0 } + [
            "        }", "    }", "}",
        ]
    }
}
