import MappingDigests
public import Foundation

/// The folder of the dumps that examples read, such as `tracker`, in this package's `Examples/Data`.
public func exampleData(_ name: String) -> URL { packageFolder("Examples/Data/\(name)") }

/// A folder of this package, by its path from the root.
public func packageFolder(_ path: String) -> URL {
    URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../\(path)").standardized
}

/// The SHA-256 of bytes, in hexadecimal digits.
public func sha256(of data: Data) -> String { SHA256.hex(of: data) }
