// Models as they are made, for properties that are to be as if nothing had been read.
extension PlanReader {
    /// A model as it is made, to take numbers, texts and dates from; nil without a model.
    mutating func freshBase(_ model: Unmanaged<ModelBox>?) -> Memory? {
        guard let box = model?.takeUnretainedValue() else { return nil }
        let id = ObjectIdentifier(box)
        if let known = freshModels[id] { return known }
        let memory = Memory.allocate(byteCount: box.size, alignment: max(16, box.alignment))
        box.make(memory)
        freshModels[id] = memory
        return memory
    }

    /// Calls a closure with a model made for the purpose, so that what it refers to is shared with no other model.
    func withFreshModel(_ model: Unmanaged<ModelBox>?, _ body: (Memory) -> Void) {
        guard let box = model?.takeUnretainedValue() else { return }
        withUnsafeTemporaryAllocation(byteCount: box.size, alignment: box.alignment) { space in
            guard let memory = space.baseAddress else { return }
            box.make(memory)
            body(memory)
            box.destroy(memory)
        }
    }
}
