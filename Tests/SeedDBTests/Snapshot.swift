import Foundation
import TestSupport
import Testing

/// Compares a text with a file of `Snapshots`; with RENEW_SNAPSHOTS, writes the file.
func expectSnapshot(_ name: String, _ text: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
    let path = "Tests/SeedDBTests/Snapshots/\(name)"
    if ProcessInfo.processInfo.environment["RENEW_SNAPSHOTS"] != nil {
        try Data(text.utf8).write(to: resource(path))
    }
    #expect(
        try resourceText(path) == text, "RENEW_SNAPSHOTS=1 swift test --filter SeedDBTests renews it",
        sourceLocation: sourceLocation)
}
