/// What a decode goes by.
struct DecodingSettings: Sendable {
    var dates = JSONDecoder.DateDecodingStrategy.deferredToDate
    var data = JSONDecoder.DataDecodingStrategy.base64
    var nonConformingFloats = JSONDecoder.NonConformingFloatDecodingStrategy.throw
    var keys = JSONDecoder.KeyDecodingStrategy.useDefaultKeys
    var userInfo: [CodingUserInfoKey: any Sendable] = [:]
    var limits = MappingLimits()
    /// Whether the text is what the user gave, and not made of a value.
    var hasPlaces = true
    /// Whether dates, data, URLs and decimals are read as attributes of these types are, whatever the strategies.
    var convertsAsAttributes = false

    /// Those of `Codable` types that are attributes: the limits of the payload held already, and no value nests deeper
    /// than the deepest one allows.
    static let attributes = DecodingSettings(
        limits: MappingLimits(depth: MappingLimits.largestDepth, byteCount: .max), hasPlaces: false,
        convertsAsAttributes: true)

    var keepsKeys: Bool {
        if case .useDefaultKeys = keys { true } else { false }
    }
}
