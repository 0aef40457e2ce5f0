/// The models of one payload, of several types: by type, by key path, or all together.
public struct MappingResult {
    /// What came of one root.
    struct Part {
        let keyPath: JSONKeyPath
        let models: [Any]
    }

    let parts: [Part]

    /// The key paths at which something stood, in the order of the roots.
    public var keyPaths: [JSONKeyPath] { parts.map(\.keyPath) }

    /// All models, in the order of the roots and of the payload.
    public var models: [Any] { parts.flatMap(\.models) }

    /// How many models there are.
    public var count: Int { parts.reduce(0) { $0 + $1.models.count } }

    /// Whether there are none.
    public var isEmpty: Bool { parts.allSatisfy(\.models.isEmpty) }

    /// The models of a type, those of its subclasses too, from wherever they stood.
    public subscript<Model>(type: Model.Type) -> [Model] {
        parts.flatMap { $0.models.compactMap { $0 as? Model } }
    }

    /// The models that stood at the key path of a root; nil if nothing stood there.
    public subscript(keyPath: JSONKeyPath) -> [Any]? {
        let found = parts.filter { $0.keyPath == keyPath }
        return found.isEmpty ? nil : found.flatMap(\.models)
    }

    /// The first model of a type; nil if there is none.
    public func first<Model>(_ type: Model.Type) -> Model? {
        for part in parts {
            for model in part.models {
                if let model = model as? Model { return model }
            }
        }
        return nil
    }
}
