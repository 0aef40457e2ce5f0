public import Foundation

/// The folder of the package, where `Package.swift` is.
public let packageRoot = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

/// The URL of a file of the repository by its path, such as `Examples/Data/tracker/users.json`.
public func resource(_ path: String) -> URL { packageRoot.appendingPathComponent(path) }

/// Reads the bytes of a file of the repository.
public func resourceData(_ path: String) throws -> Data { try Data(contentsOf: resource(path)) }

/// Reads the text of a file of the repository.
public func resourceText(_ path: String) throws -> String { String(decoding: try resourceData(path), as: UTF8.self) }

/// Whether the products run under a sanitizer, which needs additional memory.
public let isSanitized = ProcessInfo.processInfo.environment["SANITIZER"] != nil

/// Whether they run under the thread sanitizer, which writes files: limits of files stop it.
public let isThreadSanitized = ProcessInfo.processInfo.environment["SANITIZER"] == "thread"

/// Whether tests compare times, which needs a release build on a machine without other work.
public let isMeasured = ProcessInfo.processInfo.environment["MAPPINGKIT_TIMES"] != nil

/// The folder of the built products: executables are next to the test bundle.
public var productsDirectory: URL {
    for bundle in Bundle.allBundles where bundle.bundlePath.hasSuffix(".xctest") {
        return bundle.bundleURL.deletingLastPathComponent()
    }
    return (Bundle.main.executableURL ?? Bundle.main.bundleURL).deletingLastPathComponent()
}

/// The path of a built executable of the package, such as `seed-db`.
public func product(_ name: String) -> URL { productsDirectory.appendingPathComponent(name) }
