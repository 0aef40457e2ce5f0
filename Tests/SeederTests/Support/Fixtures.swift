import Foundation

/// A folder beside the tests.
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
