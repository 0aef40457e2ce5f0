extension PlanReader {
    /// Makes the value at a place the one that sources speak of, until it is closed.
    ///
    /// - Parameter isCollection: Whether its members are the elements of a collection.
    func openContext(_ place: Bytes, isCollection: Bool = false) {
        context?.open(textPlace(place), offset: offset(place), isCollection: isCollection)
    }

    /// The value that a source leads to from the object that is being read; nil if there is none.
    ///
    /// Nothing is found beside what is broken; the decode ends there anyway.
    func json(of source: ContextSource) throws(OperatorMismatch) -> JSON? {
        guard let context else { return nil }
        switch source {
        case .object(let levels, let path): return try context.object(levels)?.value(at: path.components[...])
        case .parent(let number, let path):
            return try context.object(context.levels(ofParent: number))?.value(at: path.components[...])
        case .key(let levels): return context.key(levels).map { .string($0) }
        case .root(let path): return try context.root?.value(at: path.components[...])
        case .metadata(let path): return try context.metadata.value(at: path.components[...])
        case .index: return context.index.map { .integer($0) }
        case .first(let sources):
            for source in sources {
                if let value = try json(of: source) { return value }
            }
            return nil
        }
    }
}
