extension Mapping {
    /// The models of the objects of a collection in a file, read one by one.
    ///
    /// ```swift
    /// for try await account in Account.mapping.stream(from: file, at: "accounts") { … }
    ///
    /// var bad: [RejectedElement] = []
    /// for try await line in Line.mapping.stream(from: log, rejecting: { bad.append($0) }) { … }
    /// ```
    ///
    /// Nothing is thrown here: mistakes of the mapping, too, come with the first element.
    ///
    /// - Parameters:
    ///   - file: URL of a file.
    ///   - keyPath: Where the collection stands; plain keys joined by dots, the text itself by default. Arrays on the way
    ///     are gone through.
    ///   - shape: How the elements stand there; `.line` for files that end in `.ndjson` or `.jsonl` and `.element` for
    ///     others by default.
    ///   - session: What elements share with each other and with other texts, which takes memory for each object that
    ///     has an identity; by default each element has a session of its own, in which its connections are made.
    ///   - options: What is given beside the text.
    ///   - rejecting: Is given each element with issues, which then is left out; what it throws ends the stream. Without it
    ///     the first such element ends the stream.
    public func stream(
        from file: URL, at keyPath: JSONKeyPath = "", each shape: ElementShape? = nil,
        in session: MappingSession? = nil, options: MappingOptions = MappingOptions(),
        rejecting: ((RejectedElement) throws -> Void)? = nil
    ) -> MappingStream<Model> {
        MappingStream(configuration(.file(file), at: keyPath, each: shape ?? file.shape, session, options, rejecting))
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
    ///   - rejecting: Is given each element with issues, which then is left out; what it throws ends the stream. Without it
    ///     the first such element ends the stream.
    public func stream(
        from bytes: some ContiguousBytes, at keyPath: JSONKeyPath = "", each shape: ElementShape = .element,
        in session: MappingSession? = nil, options: MappingOptions = MappingOptions(),
        rejecting: ((RejectedElement) throws -> Void)? = nil
    ) -> MappingStream<Model> {
        MappingStream(
            configuration(.bytes { MemoryByteSource(bytes) }, at: keyPath, each: shape, session, options, rejecting))
    }

    /// The models of the objects of a collection whose text comes in chunks, made one by one.
    ///
    /// ```swift
    /// let response = try await client.request(.get, "/export").stream()
    /// for try await account in Account.mapping.stream(from: response.body, at: "accounts") { … }
    /// ```
    ///
    /// A chunk is asked for when an element is wanted that is not in the chunks before. An element is given as soon
    /// as its last byte has come, so that a text without end can be followed.
    ///
    /// - Parameters:
    ///   - chunks: A sequence of `Data` or `[UInt8]`, cut wherever it happens to be.
    ///   - keyPath: Where the collection stands; the text itself by default.
    ///   - shape: How the elements stand there: in an array, as the members of an object, or one a line.
    ///   - session: What elements share with each other and with other texts, which takes memory for each object that
    ///     has an identity; by default each element has a session of its own, in which its connections are made.
    ///   - options: What is given beside the text.
    ///   - rejecting: Is given each element with issues, which then is left out; what it throws ends the stream. Without it
    ///     the first such element ends the stream.
    public func stream<Chunks: AsyncSequence>(
        from chunks: Chunks, at keyPath: JSONKeyPath = "", each shape: ElementShape = .element,
        in session: MappingSession? = nil, options: MappingOptions = MappingOptions(),
        rejecting: ((RejectedElement) throws -> Void)? = nil
    ) -> MappingStream<Model> where Chunks.Element: ContiguousBytes {
        MappingStream(
            configuration(.chunks { SequenceOfChunks(chunks) }, at: keyPath, each: shape, session, options, rejecting))
    }

    /// The models of the objects of a collection whose text comes byte by byte, made one by one.
    ///
    /// - Parameters:
    ///   - bytes: A sequence of bytes, such as those of `URLSession`.
    ///   - keyPath: Where the collection stands; the text itself by default.
    ///   - shape: How the elements stand there: in an array, as the members of an object, or one a line.
    ///   - session: What elements share with each other and with other texts, which takes memory for each object that
    ///     has an identity; by default each element has a session of its own, in which its connections are made.
    ///   - options: What is given beside the text.
    ///   - rejecting: Is given each element with issues, which then is left out; what it throws ends the stream. Without it
    ///     the first such element ends the stream.
    public func stream<Bytes: AsyncSequence>(
        from bytes: Bytes, at keyPath: JSONKeyPath = "", each shape: ElementShape = .element,
        in session: MappingSession? = nil, options: MappingOptions = MappingOptions(),
        rejecting: ((RejectedElement) throws -> Void)? = nil
    ) -> MappingStream<Model> where Bytes.Element == UInt8 {
        MappingStream(
            configuration(.chunks { SequenceOfBytes(bytes) }, at: keyPath, each: shape, session, options, rejecting))
    }

    func configuration(
        _ source: StreamSource, at keyPath: JSONKeyPath, each shape: ElementShape, _ session: MappingSession?,
        _ options: MappingOptions, _ rejecting: ((RejectedElement) throws -> Void)?
    ) -> StreamConfiguration<Model> {
        StreamConfiguration(
            mapping: self, source: source, keyPath: keyPath, shape: shape, session: session, options: options,
            rejecting: rejecting)
    }
}
