/// All that an iteration of a stream goes by.
struct StreamRecipe<Model> {
    let mapping: Mapping<Model>
    let source: StreamSource
    let keyPath: JSONKeyPath
    let shape: ElementShape
    let session: MappingSession?
    let options: MappingOptions
    /// Bytes of the text that are in memory, as long as every element fits.
    var windowSize = 256 << 10

    /// The reader of a text whose first bytes are in a window.
    func reader(_ window: Window) throws(MappingError) -> ElementReader<Model> {
        try ElementReader(mapping.storage.compiled(), window: window, at: keyPath, each: shape, options: options)
    }

    var largestWindow: Int { max(windowSize, options.limits.elementByteCount) }
}
