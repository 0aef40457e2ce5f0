extension Mapping {
    /// Returns the models of a collection in a file, which is read incrementally.
    ///
    /// ```swift
    /// for try await account in Account.mapping.stream(from: file, at: "accounts") { … }
    ///
    /// var bad: [RejectedElement] = []
    /// for try await line in Line.mapping.stream(from: log, rejecting: { bad.append($0) }) { … }
    /// ```
    ///
    /// This call does not throw: errors of the mapping are thrown with the first element.
    ///
    /// - Parameters:
    ///   - file: The URL of a file.
    ///   - keyPath: The key path of the collection, plain keys joined by dots; arrays on the way are searched element
    ///     by element. Defaults to the text itself.
    ///   - shape: How the elements are arranged. Defaults to `.line` for files that end in `.ndjson` or `.jsonl` and to
    ///     `.element` for others.
    ///   - session: Shares objects among elements and with other texts, which takes memory for each object that has an
    ///     identity. By default each element has a separate session, in which its connections are made.
    ///   - options: Limits, metadata and the log.
    ///   - rejecting: Receives each element with issues, which is left out; an error that it throws ends the stream.
    ///     Defaults to `nil`: the first such element ends the stream.
    public func stream(
        from file: URL, at keyPath: JSONKeyPath = "", each shape: ElementShape? = nil,
        in session: MappingSession? = nil, options: MappingOptions = MappingOptions(),
        rejecting: ((RejectedElement) throws -> Void)? = nil
    ) -> MappingStream<Model> {
        MappingStream(configuration(.file(file), at: keyPath, each: shape ?? file.shape, session, options, rejecting))
    }

    /// Returns the models of a collection in memory, which are created incrementally.
    ///
    /// - Parameters:
    ///   - bytes: `Data` or `[UInt8]`.
    ///   - keyPath: The key path of the collection. Defaults to the text itself.
    ///   - shape: How the elements are arranged: in an array, as the members of an object, or one per line.
    ///   - session: Shares objects among elements and with other texts, which takes memory for each object that has an
    ///     identity. By default each element has a separate session, in which its connections are made.
    ///   - options: Limits, metadata and the log.
    ///   - rejecting: Receives each element with issues, which is left out; an error that it throws ends the stream.
    ///     Defaults to `nil`: the first such element ends the stream.
    public func stream(
        from bytes: some ContiguousBytes, at keyPath: JSONKeyPath = "", each shape: ElementShape = .element,
        in session: MappingSession? = nil, options: MappingOptions = MappingOptions(),
        rejecting: ((RejectedElement) throws -> Void)? = nil
    ) -> MappingStream<Model> {
        MappingStream(
            configuration(.bytes { MemoryByteSource(bytes) }, at: keyPath, each: shape, session, options, rejecting))
    }

    /// Returns the models of a collection in a sequence of chunks, which are created incrementally.
    ///
    /// ```swift
    /// let response = try await client.request(.get, "/export").stream()
    /// for try await account in Account.mapping.stream(from: response.body, at: "accounts") { … }
    /// ```
    ///
    /// A chunk is requested if the next element is not complete in the chunks before. An element is returned as soon as
    /// its last byte was received, so that an endless text can be followed.
    ///
    /// - Parameters:
    ///   - chunks: A sequence of `Data` or `[UInt8]`; elements can be split at any byte.
    ///   - keyPath: The key path of the collection. Defaults to the text itself.
    ///   - shape: How the elements are arranged: in an array, as the members of an object, or one per line.
    ///   - session: Shares objects among elements and with other texts, which takes memory for each object that has an
    ///     identity. By default each element has a separate session, in which its connections are made.
    ///   - options: Limits, metadata and the log.
    ///   - rejecting: Receives each element with issues, which is left out; an error that it throws ends the stream.
    ///     Defaults to `nil`: the first such element ends the stream.
    public func stream<Chunks: AsyncSequence>(
        from chunks: Chunks, at keyPath: JSONKeyPath = "", each shape: ElementShape = .element,
        in session: MappingSession? = nil, options: MappingOptions = MappingOptions(),
        rejecting: ((RejectedElement) throws -> Void)? = nil
    ) -> MappingStream<Model> where Chunks.Element: ContiguousBytes {
        MappingStream(
            configuration(.chunks { SequenceOfChunks(chunks) }, at: keyPath, each: shape, session, options, rejecting))
    }

    /// Returns the models of a collection in a sequence of bytes, which are created incrementally.
    ///
    /// - Parameters:
    ///   - bytes: A sequence of bytes, such as those of `URLSession`.
    ///   - keyPath: The key path of the collection. Defaults to the text itself.
    ///   - shape: How the elements are arranged: in an array, as the members of an object, or one per line.
    ///   - session: Shares objects among elements and with other texts, which takes memory for each object that has an
    ///     identity. By default each element has a separate session, in which its connections are made.
    ///   - options: Limits, metadata and the log.
    ///   - rejecting: Receives each element with issues, which is left out; an error that it throws ends the stream.
    ///     Defaults to `nil`: the first such element ends the stream.
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
            mapping: self, source: source, keyPath: keyPath, shape: shape, dataSource: session, options: options,
            rejecting: rejecting)
    }
}

/// How the elements of a collection are arranged in a text.
public enum ElementShape: Sendable {
    /// In an array; a single object is one element.
    case element
    /// As the members of an object, whose keys are read with the source `.key`.
    case member
    /// One per line (NDJSON), several on a line, or objects of several lines: JSON values one after the other.
    case line
}
