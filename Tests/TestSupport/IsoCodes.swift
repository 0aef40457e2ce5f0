public import Foundation

/// The JSON dumps of Debian's package `iso-codes`, read without code of this package.
public enum IsoCodes {
    /// Their folder; nil, reported once, if they are not installed.
    public static let folder: URL? = {
        let path = ProcessInfo.processInfo.environment["ISO_CODES"] ?? "/usr/share/iso-codes/json"
        let isInstalled = FileManager.default.fileExists(atPath: path + "/iso_3166-2.json")
        return isAvailable(isInstalled, otherwise: "\(path) holds no dumps (apt-get install iso-codes)")
            ? URL(fileURLWithPath: path) : nil
    }()

    /// The objects of the dump of a standard, such as `3166-1`; all values are strings.
    public static func objects(_ standard: String) throws -> [[String: String]] {
        let data = try Data(contentsOf: (folder ?? packageRoot).appendingPathComponent("iso_\(standard).json"))
        let document = try JSONSerialization.jsonObject(with: data) as? [String: [[String: String]]]
        return document?[standard] ?? []
    }
}
