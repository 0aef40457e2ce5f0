/// All that an iteration of a stream goes by.
struct StreamConfiguration<Model> {
    let mapping: Mapping<Model>
    let source: StreamSource
    let keyPath: JSONKeyPath
    let shape: ElementShape
    let session: MappingSession?
    let options: MappingOptions
    /// Is given the elements with issues; without it the first one ends the stream.
    let rejecting: ((RejectedElement) throws -> Void)?
    /// Bytes of the text that are in memory, as long as every element fits.
    var windowSize = 256 << 10
}
