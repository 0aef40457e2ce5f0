/// The content codings of a body undone, up to two of them (RFC 9110 §8.4).
final class ContentDecoder {
    private let codings: [String]
    private let ratio: Int64
    /// The coding applied last comes first; made with the first byte, as an empty body has no coding.
    private var stages: [Inflater] = []
    private var middle = UnsafeMutableRawBufferPointer(start: nil, count: 0)
    private var middleRest = UnsafeRawBufferPointer(start: nil, count: 0)
    private var output = UnsafeMutableRawBufferPointer(start: nil, count: 0)
    private var inputCount: Int64 = 0
    private var outputCount: Int64 = 0

    private static let bufferSize = 64 << 10
    /// A body may grow as it likes up to here.
    private static let unsuspicious: Int64 = 1 << 20

    /// What undoes the codings of a response; nil if it has none.
    init?(_ framing: ResponseFraming, _ limits: ResponseLimits) {
        if framing.codings.isEmpty { return nil }
        codings = framing.codings
        ratio = limits.compressionRatio
    }

    deinit {
        middle.deallocate()
        output.deallocate()
    }

    /// Decodes all of the input, piece by piece.
    func decode(
        _ input: UnsafeRawBufferPointer, _ receive: (UnsafeRawBufferPointer) throws(TransportFailure) -> Void
    ) throws(TransportFailure) {
        var input = input
        while let piece = try decode(&input) { try receive(piece) }
    }

    /// Decodes some of the input.
    ///
    /// - Returns: The piece, nil if all of the input is decoded; and how much of the input it took.
    func piece(of input: Data) throws(TransportFailure) -> (piece: Data?, taken: Int) {
        let result = input.withUnsafeBytes { bytes -> Result<(Data?, Int), TransportFailure> in
            var rest = bytes
            return Result { () throws(TransportFailure) in
                let piece = try decode(&rest).map { Data($0) }
                return (piece, bytes.count - rest.count)
            }
        }
        return try result.get()
    }

    /// A piece, valid until the next one; nil if the input is used up.
    private func decode(_ input: inout UnsafeRawBufferPointer) throws(TransportFailure) -> UnsafeRawBufferPointer? {
        if output.isEmpty { output = .allocate(byteCount: Self.bufferSize, alignment: 16) }
        let count = try decode(&input, into: output)
        return count > 0 ? UnsafeRawBufferPointer(rebasing: output[..<count]) : nil
    }

    /// Takes from the input and fills the output.
    ///
    /// - Returns: Bytes of output; 0 when the input is used up.
    private func decode(
        _ input: inout UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) throws(TransportFailure) -> Int {
        if stages.isEmpty {
            if input.isEmpty { return 0 }
            try begin()
        }
        let available = input.count
        let count = stages.count == 1 ? try stages[0].inflate(&input, into: output) : try inflateTwice(&input, output)
        inputCount += Int64(available - input.count)
        outputCount += Int64(count)
        // Compared by division, as a ratio of any size is allowed.
        guard outputCount <= Self.unsuspicious || outputCount / max(ratio, 1) <= inputCount else {
            throw TransportFailure(
                .responseTooLarge,
                "\(inputCount) bytes of the response became \(outputCount), more than ResponseLimits.compressionRatio "
                    + "of \(ratio) allows")
        }
        return count
    }

    /// Throws if the end came before its time.
    func finish() throws(TransportFailure) {
        for stage in stages { try stage.finish() }
    }

    private func begin() throws(TransportFailure) {
        guard codings.count <= 2 else {
            throw TransportFailure(.undecodableResponse, "the response is coded \(codings.count) times")
        }
        for name in codings.reversed() {
            guard let coding = Inflater.Coding(name: name) else {
                throw TransportFailure(
                    .undecodableResponse,
                    "the response has the content coding '\(name)'; gzip and deflate were asked for")
            }
            stages.append(Inflater(coding))
        }
        if stages.count == 2 { middle = .allocate(byteCount: Self.bufferSize, alignment: 16) }
    }

    private func inflateTwice(
        _ input: inout UnsafeRawBufferPointer, _ output: UnsafeMutableRawBufferPointer
    ) throws(TransportFailure) -> Int {
        while true {
            let count = try stages[1].inflate(&middleRest, into: output)
            if count > 0 { return count }
            let middleCount = try stages[0].inflate(&input, into: middle)
            if middleCount == 0 { return 0 }
            middleRest = UnsafeRawBufferPointer(rebasing: middle[..<middleCount])
        }
    }
}
