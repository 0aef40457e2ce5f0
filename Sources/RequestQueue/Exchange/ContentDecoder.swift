/// The content codings of a body undone, up to two of them (RFC 9110 §8.4).
final class ContentDecoder {
    private let codings: [String]
    private let ratio: Int64
    /// The coding applied last comes first; made with the first byte, as an empty body has no coding.
    private var stages: [Inflater] = []
    /// What the first of two stages wrote, and what of it the second has not taken yet.
    private var middle: [UInt8] = []
    private var middleRest = 0..<0
    private var output: [UInt8] = []
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

    /// Decodes all of the input, piece by piece.
    func decode(
        _ input: RawSpan, _ receive: (RawSpan) throws(TransportFailure) -> Void
    ) throws(TransportFailure) {
        var rest = input
        while case let (taken, count) = try decode(rest), count > 0 {
            rest = rest.extracting(droppingFirst: taken)
            try output.withRawSpan { bytes throws(TransportFailure) in try receive(bytes.extracting(first: count)) }
        }
    }

    /// Decodes some of the input.
    ///
    /// - Returns: The piece, nil if all of the input is decoded; and how much of the input it took.
    func piece(of input: Data) throws(TransportFailure) -> (piece: Data?, taken: Int) {
        let (taken, count) = try decode(input.bytes)
        return (count > 0 ? Data(output[..<count]) : nil, taken)
    }

    /// Takes from the input and fills the output from its start.
    ///
    /// - Returns: Bytes taken from the input, and bytes of output; 0 of these when the input is used up.
    private func decode(_ input: RawSpan) throws(TransportFailure) -> (taken: Int, count: Int) {
        if stages.isEmpty {
            if input.isEmpty { return (0, 0) }
            try begin()
        }
        let (taken, count) = try output.withMutableRawSpan { output throws(TransportFailure) in
            stages.count == 1 ? try stages[0].inflate(input, into: &output) : try inflateTwice(input, into: &output)
        }
        inputCount += Int64(taken)
        outputCount += Int64(count)
        // Compared by division, as a ratio of any size is allowed.
        guard outputCount <= Self.unsuspicious || outputCount / max(ratio, 1) <= inputCount else {
            throw TransportFailure(
                .responseTooLarge,
                "\(inputCount) bytes of the response became \(outputCount), more than ResponseLimits.compressionRatio "
                    + "of \(ratio) allows")
        }
        return (taken, count)
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
        output = [UInt8](repeating: 0, count: Self.bufferSize)
        if stages.count == 2 { middle = output }
    }

    private func inflateTwice(
        _ input: RawSpan, into output: inout MutableRawSpan
    ) throws(TransportFailure) -> (taken: Int, count: Int) {
        var taken = 0
        while true {
            let last = try middle.withRawSpan { bytes throws(TransportFailure) in
                try stages[1].inflate(bytes.extracting(middleRest), into: &output)
            }
            middleRest = middleRest.dropFirst(last.taken)
            if last.count > 0 { return (taken, last.count) }
            let first = try middle.withMutableRawSpan { bytes throws(TransportFailure) in
                try stages[0].inflate(input.extracting(droppingFirst: taken), into: &bytes)
            }
            taken += first.taken
            if first.count == 0 { return (taken, 0) }
            middleRest = 0..<first.count
        }
    }
}
