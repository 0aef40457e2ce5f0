import Foundation
import ObjectMapping

/// The result of decoding, as text that can be compared.
struct DecodingOutcome: Equatable, CustomStringConvertible {
    var description: String
    /// The coding path of an error, and its case.
    var path: String?
    var failure: String?

    init<Value: Decodable>(_ type: Value.Type, _ decode: (Value.Type) throws -> Value) {
        do {
            let value = try decode(type)
            description = told(value)
        } catch let error as DecodingError {
            let (name, context): (String, DecodingError.Context?) =
                switch error {
                case .typeMismatch(let type, let context): ("typeMismatch \(type)", context)
                case .valueNotFound(let type, let context): ("valueNotFound \(type)", context)
                case .keyNotFound(let key, let context): ("keyNotFound \(key.stringValue)", context)
                case .dataCorrupted(let context): ("dataCorrupted", context)
                @unknown default: ("?", nil)
                }
            failure = name
            path = context?.codingPath.map(\.stringValue).joined(separator: ".")
            description = "\(name) at \(path ?? "")"
        } catch {
            description = "\(error)"
        }
    }

    /// Whether this is the result of `JSONDecoder`, except for paths that it omits.
    func agrees(with peer: DecodingOutcome) -> Bool {
        if self == peer { return true }
        guard let path, let peerPath = peer.path, failure == "dataCorrupted", peer.failure == failure else {
            return false
        }
        return path.hasPrefix(peerPath)
    }
}

/// Two decoders with the same settings.
struct DecoderPair: Sendable {
    let name: String
    let decoder = MappingDecoder()
    let peer = JSONDecoder()

    init(
        _ name: String, dates: JSONDecoder.DateDecodingStrategy = .deferredToDate,
        data: JSONDecoder.DataDecodingStrategy = .base64,
        floats: JSONDecoder.NonConformingFloatDecodingStrategy = .throw,
        keys: JSONDecoder.KeyDecodingStrategy = .useDefaultKeys
    ) {
        self.name = name
        (decoder.dateDecodingStrategy, peer.dateDecodingStrategy) = (dates, dates)
        (decoder.dataDecodingStrategy, peer.dataDecodingStrategy) = (data, data)
        (decoder.nonConformingFloatDecodingStrategy, peer.nonConformingFloatDecodingStrategy) = (floats, floats)
        (decoder.keyDecodingStrategy, peer.keyDecodingStrategy) = (keys, keys)
    }

    /// The difference between the decoders for a text; `nil` if they agree.
    func difference(_ type: (some Decodable).Type, _ text: String) -> String? {
        let ours = DecodingOutcome(type) { try decoder.decode($0, from: text) }
        let theirs = DecodingOutcome(type) { try peer.decode($0, from: Data(text.utf8)) }
        return ours.agrees(with: theirs) ? nil : "\(type) of \(text): \(ours), JSONDecoder: \(theirs)"
    }
}

/// A value as text that is the same in each run, for any order of dictionaries and sets.
private func told(_ value: Any) -> String {
    switch value {
    case let date as Date: return "date \(date.timeIntervalSinceReferenceDate)"
    case let data as Data: return "data \(Array(data))"
    case let custom as DecoderModels.Vehicle: return custom.description
    case is Decimal, is URL, is UUID, is String, is Int128, is UInt128: return "\(value)"
    default: break
    }
    let mirror = Mirror(reflecting: value)
    if mirror.children.isEmpty { return "\(value)" }
    let parts = mirror.children.map { "\($0.label ?? ""):\(told($0.value))" }
    let isUnordered = mirror.displayStyle == .dictionary || mirror.displayStyle == .set
    let body = (isUnordered ? parts.sorted() : parts).joined(separator: ",")
    return mirror.displayStyle == .enum ? "\(body)" : "(\(body))"
}
