public import Foundation

/// The folder of the package, where `Package.swift` is.
public let packageRoot = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

/// A file of the repository by its path from the package's folder, as `Examples/Data/tracker/users.json`.
public func resource(_ path: String) -> URL { packageRoot.appendingPathComponent(path) }

/// The bytes of a file of the repository by its path from the package's folder.
public func resourceData(_ path: String) throws -> Data { try Data(contentsOf: resource(path)) }

/// The text of a file of the repository by its path from the package's folder.
public func resourceText(_ path: String) throws -> String { String(decoding: try resourceData(path), as: UTF8.self) }

/// Whether the products are watched by a sanitizer, whose memory is not the program's.
public let isSanitized = ProcessInfo.processInfo.environment["SANITIZER"] != nil

/// Whether they are watched by the thread sanitizer, which writes files of its own: limits of files stop it.
public let isThreadSanitized = ProcessInfo.processInfo.environment["SANITIZER"] == "thread"

/// The folder of the built products: executables lie beside the test bundle.
public var productsDirectory: URL {
    for bundle in Bundle.allBundles where bundle.bundlePath.hasSuffix(".xctest") {
        return bundle.bundleURL.deletingLastPathComponent()
    }
    return (Bundle.main.executableURL ?? Bundle.main.bundleURL).deletingLastPathComponent()
}

/// A built executable of the package, as `seed-db`.
public func product(_ name: String) -> URL { productsDirectory.appendingPathComponent(name) }
