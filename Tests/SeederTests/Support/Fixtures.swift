import Foundation
import Seeder

/// The URL of a folder next to the tests.
func fixture(_ path: String) -> URL {
    URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Fixtures").appending(path: path)
}

/// A manifest of one entity `Task` with an identity `id`, whose other attributes and sources are given as JSON.
func taskManifest(
    attributes: String = #""name": { "type": "string" }"#, relationships: String = "",
    sources: String = #"{ "file": "tasks.json", "entity": "Task" }"#
) -> String {
    """
    { "model": { "Task": {
        "identifiedBy": "id",
        "attributes": { "id": { "type": "integer" }, \(attributes) },
        "relationships": { \(relationships) } } },
      "sources": [\(sources)] }
    """
}

/// The text of a manifest, with names that are valid for a kind of models.
func manifestText(_ manifest: URL, for kind: ModelSources.Kind) throws -> String {
    let text = try String(contentsOf: manifest, encoding: .utf8)
    guard kind == .managed else { return text }
    return text.replacing(#""mapping""#, with: #""mappings""#).replacing(#""✂""#, with: #""✂ text""#)
}
