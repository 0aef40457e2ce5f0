import Digests
public import Foundation

/// The folder of the dumps that examples read, such as `tracker`, in this package's `Examples/Data`.
public func exampleData(_ name: String) -> URL {
    URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../Data/\(name)").standardized
}

/// The SHA-256 of bytes, in hexadecimal digits.
public func sha256(of data: Data) -> String { SHA256.hex(of: data) }
