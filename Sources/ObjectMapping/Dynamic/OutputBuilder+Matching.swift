extension OutputBuilder {
    /// The box that writes values by the first of some cases that takes them; made once for each identity, so that cycles
    /// end.
    func matching<Model>(_ identity: ObjectIdentifier, _ cases: () -> [MatchCase<Model>]) -> OutputBox {
        if let known = matching[identity] { return known }
        let box = MatchingOutput<Model>()
        matching[identity] = box
        _ = keep(box)
        nested { box.resolve(cases(), self) }
        return box
    }
}
