import ObjectMapping

/// What a stream gives, one line each: models, elements that were left out, and the error that ended it.
func streamTexts<Model>(_ stream: MappingStream<Model>) async -> [String] {
    var texts: [String] = []
    do {
        for try await model in stream { texts.append("\(model)") }
    } catch {
        texts.append("error \(error)")
    }
    return texts
}
