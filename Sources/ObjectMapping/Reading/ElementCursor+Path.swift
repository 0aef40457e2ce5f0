extension ElementCursor {
    /// The path of the element.
    var steps: [JSONPathStep] {
        var steps: [JSONPathStep] = []
        write(to: &steps)
        return steps
    }

    /// Writes the path of the element over another one, in the memory of that.
    func write(to steps: inout [JSONPathStep]) {
        steps.removeAll(keepingCapacity: true)
        if shape == .line { return }
        for frame in frames {
            let step: JSONPathStep =
                switch frame {
                case .search(_, let key, _), .members(let key): .key(key)
                case .through(_, let index): .index(index)
                case .elements: .index(elementIndex)
                }
            steps.append(step)
        }
    }
}
