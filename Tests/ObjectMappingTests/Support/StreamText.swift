import ObjectMapping

/// The result of a stream, one per line: models, skipped elements, and the final error.
func streamTexts<Model>(_ stream: MappingStream<Model>) async -> [String] {
    var texts: [String] = []
    do {
        for try await model in stream { texts.append("\(model)") }
    } catch {
        texts.append("error \(error)")
    }
    return texts
}
