import Foundation

/// Nodes of a tree with string keys: nine of ten have a parent, at any position in the file.
struct Nodes {
    var random: Random

    mutating func write(_ count: Int, to folder: URL) throws {
        var file = try ArrayFile(folder.appending(path: "nodes.json"))
        for index in 0..<count {
            let parent = random.number(1...10) == 1 ? "null" : "\"\(key(random.number(0...count - 1)))\""
            try file.append(#"{"code":"\#(key(index))","name":"Node \#(index)","parent":\#(parent)}"#)
        }
        try file.close()
        let manifest = """
            {
              "model": {
                "Node": {
                  "identifiedBy": "code",
                  "attributes": {
                    "code": { "type": "string" }, "name": { "type": "string" },
                    "parentCode": { "from": "parent", "type": "string" }
                  },
                  "relationships": { "parent": { "to": "Node", "by": "parentCode" } }
                }
              },
              "sources": [{ "file": "nodes.json", "entity": "Node" }]
            }

            """
        try Data(manifest.utf8).write(to: folder.appending(path: "seed.json"))
    }

    /// Keys whose order differs from that of the rows: of equal length, and distributed over their range.
    private func key(_ index: Int) -> String {
        let digits = String(UInt64(index) &* 0x9E37_79B9_7F4A_7C15, radix: 16)
        return "node-" + String(repeating: "0", count: 16 - digits.count) + digits
    }
}
