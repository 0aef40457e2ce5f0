/// Decodes the content codings of a body, up to two (RFC 9110 §8.4).
final class ContentDecoder {
    private let codings: [String]
    private let ratio: Int64
    /// The decoders, with the last applied coding first.
    ///
    /// They are created at the first byte, because an empty body has no coding.
    private var stages: [Inflater] = []
    /// The output of the first of two stages, and the range that the second stage has not consumed.
    private var middle: [UInt8] = []
    private var middleRest = 0..<0
    private var output: [UInt8] = []
    private var inputCount: Int64 = 0
    private var outputCount: Int64 = 0

    private static let bufferSize = 64 << 10
    /// The size up to which the compression ratio is not checked.
    private static let uncheckedSize: Int64 = 1 << 20

    private init(_ codings: [String], ratio: Int64) { (self.codings, self.ratio) = (codings, ratio) }

    /// Returns the decoder of a response; `nil` if it has no content coding.
    static func decoder(for framing: ResponseFraming, _ limits: ResponseLimits) -> ContentDecoder? {
        framing.codings.isEmpty ? nil : ContentDecoder(framing.codings, ratio: limits.compressionRatio)
    }

    /// Decodes the whole input, piece by piece.
    func decode(
        _ input: RawSpan, _ receive: (RawSpan) throws(TransportFailure) -> Void
    ) throws(TransportFailure) {
        var rest = input
        while case let (taken, count) = try decode(rest), count > 0 {
            rest = rest.extracting(droppingFirst: taken)
            try output.withRawSpan { bytes throws(TransportFailure) in try receive(bytes.extracting(first: count)) }
        }
    }

    /// Decodes a part of the input.
    ///
    /// - Returns: The piece, `nil` if the whole input is decoded; and the number of consumed bytes.
    func piece(of input: Data) throws(TransportFailure) -> (piece: Data?, taken: Int) {
        let (taken, count) = try decode(input.bytes)
        return (count > 0 ? Data(output[..<count]) : nil, taken)
    }

    /// Consumes input and writes to the start of the output.
    ///
    /// - Returns: The number of bytes consumed and written; 0 bytes are written when the input is exhausted.
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
        // Compared by division, because multiplication by a large ratio would overflow.
        guard outputCount <= Self.uncheckedSize || outputCount / max(ratio, 1) <= inputCount else {
            throw TransportFailure(
                .responseTooLarge,
                "\(inputCount) bytes of the response expanded to \(outputCount) bytes, "
                    + "beyond ResponseLimits.compressionRatio of \(ratio)")
        }
        return (taken, count)
    }

    /// Throws an error if the compressed data is incomplete.
    func finish() throws(TransportFailure) {
        for stage in stages { try stage.finish() }
    }

    private func begin() throws(TransportFailure) {
        guard codings.count <= 2 else {
            throw TransportFailure(
                .undecodableResponse, "the response has \(codings.count) content codings; at most 2 are supported")
        }
        for name in codings.reversed() {
            guard let coding = Inflater.Coding(rawValue: name == "x-gzip" ? "gzip" : name) else {
                throw TransportFailure(
                    .undecodableResponse,
                    "unsupported content coding '\(name)'; supported are gzip and deflate")
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
