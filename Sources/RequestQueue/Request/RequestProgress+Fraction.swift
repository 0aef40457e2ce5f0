extension RequestProgress {
    /// The share of the body that is sent, from 0 to 1; 1 without a body, 0 while its length is not known.
    public var fractionSent: Double { fraction(bytesSent, of: bytesExpectedToSend) }

    /// The share of the response's body that came, from 0 to 1; 0 while its length is not known.
    public var fractionReceived: Double { fraction(bytesReceived, of: bytesExpectedToReceive) }

    /// How far the larger half of the request is: of one with a body the share that is sent, of another the share of the
    /// response that came.
    public var fractionCompleted: Double { bytesExpectedToSend == 0 ? fractionReceived : fractionSent }
}

extension RequestProgress.Part {
    /// The share of the part that is sent, from 0 to 1; 0 while its length is not known.
    public var fractionSent: Double { fraction(bytesSent, of: bytesExpected) }
}

private func fraction(_ bytes: Int64, of expected: Int64?) -> Double {
    guard let expected else { return 0 }
    return expected > 0 ? min(1, Double(bytes) / Double(expected)) : 1
}
