extension Mapping {
    /// The models of the objects of a collection in a file, read one by one.
    ///
    /// - Parameters:
    ///   - file: URL of a file.
    ///   - keyPath: Where the collection stands; the text itself by default.
    ///   - shape: How the elements stand there; `.line` for files that end in `.ndjson` or `.jsonl` and `.element` for
    ///     others by default.
    ///   - session: What elements share with each other and with other texts, which takes memory for each object that
    ///     has an identity; by default each element has a session of its own, in which its connections are made.
    ///   - options: What is given beside the text.
    ///   - rejecting: Is given each element with issues, which then is left out; what it throws ends the reading. Without it
    ///     the first such element does.
    public func elements(
        of file: URL, at keyPath: JSONKeyPath = "", each shape: ElementShape? = nil, in session: MappingSession? = nil,
        options: MappingOptions = MappingOptions(), rejecting: ((RejectedElement) throws -> Void)? = nil
    ) -> MappingElements<Model> {
        MappingElements(configuration(.file(file), at: keyPath, each: shape ?? file.shape, session, options, rejecting))
    }

    /// The models of the objects of a collection in memory, made one by one.
    ///
    /// - Parameters:
    ///   - bytes: `Data` or `[UInt8]`.
    ///   - keyPath: Where the collection stands; the text itself by default.
    ///   - shape: How the elements stand there: in an array, as the members of an object, or one a line.
    ///   - session: What elements share with each other and with other texts, which takes memory for each object that
    ///     has an identity; by default each element has a session of its own, in which its connections are made.
    ///   - options: What is given beside the text.
    ///   - rejecting: Is given each element with issues, which then is left out; what it throws ends the reading. Without it
    ///     the first such element does.
    public func elements(
        of bytes: some ContiguousBytes, at keyPath: JSONKeyPath = "", each shape: ElementShape = .element,
        in session: MappingSession? = nil, options: MappingOptions = MappingOptions(),
        rejecting: ((RejectedElement) throws -> Void)? = nil
    ) -> MappingElements<Model> {
        MappingElements(
            configuration(.bytes { MemoryByteSource(bytes) }, at: keyPath, each: shape, session, options, rejecting))
    }
}
