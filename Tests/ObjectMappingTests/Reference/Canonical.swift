import Foundation
import ObjectMapping

/// A value with the same text as in the reference.
protocol Canonical: SendableMetatype {
    var canonical: String { get }
}

extension Canonical where Self: CustomStringConvertible {
    var canonical: String { description }
}

extension Int: Canonical {}
extension Int8: Canonical {}
extension UInt16: Canonical {}
extension UInt64: Canonical {}
extension Double: Canonical {}
extension Float: Canonical {}
extension Bool: Canonical {}
extension Wide.Status: Canonical { var canonical: String { rawValue } }
extension String: Canonical { var canonical: String { JSONText.quoted(self) } }
extension Date: Canonical { var canonical: String { ReferenceConversion.moment(timeIntervalSince1970) } }
extension Decimal: Canonical { var canonical: String { PlainNumber(description).description } }
extension UUID: Canonical { var canonical: String { uuidString.lowercased() } }
extension URL: Canonical { var canonical: String { absoluteString } }
extension Data: Canonical { var canonical: String { base64EncodedString() } }
extension JSON: Canonical { var canonical: String { text } }
extension Optional: Canonical where Wrapped: Canonical { var canonical: String { self?.canonical ?? "nil" } }
extension Array: Canonical where Element: Canonical {
    var canonical: String { "[\(map(\.canonical).joined(separator: ", "))]" }
}
extension Set: Canonical where Element: Canonical {
    var canonical: String { "[\(map(\.canonical).sorted().joined(separator: ", "))]" }
}
extension Wide: Canonical { var canonical: String { TypedTable.wide.text(of: self) } }
extension Made: Canonical { var canonical: String { values.canonical } }
extension Knot: Canonical { var canonical: String { TypedTable.knot.text(of: self) } }
