extension RequestProgress {
    /// The sent fraction of the body, from 0 to 1; 1 without a body, 0 while its length is unknown.
    public var fractionSent: Double { fraction(bytesSent, of: bytesExpectedToSend) }

    /// The received fraction of the response's body, from 0 to 1; 0 while its length is unknown.
    public var fractionReceived: Double { fraction(bytesReceived, of: bytesExpectedToReceive) }

    /// The progress of the request, from 0 to 1: ``fractionSent`` with a body, otherwise ``fractionReceived``.
    public var fractionCompleted: Double { bytesExpectedToSend == 0 ? fractionReceived : fractionSent }
}

extension RequestProgress.Part {
    /// The sent fraction of the part, from 0 to 1; 0 while its length is unknown.
    public var fractionSent: Double { fraction(bytesSent, of: bytesExpected) }
}

private func fraction(_ bytes: Int64, of expected: Int64?) -> Double {
    guard let expected else { return 0 }
    return expected > 0 ? min(1, Double(bytes) / Double(expected)) : 1
}
