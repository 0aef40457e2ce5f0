/// Prints the story of an example.
public struct Narrator {
    let source: Source

    /// A sentence or two, in lines of at most 100 characters, with space above.
    public func say(_ text: String) {
        var line = ""
        print("")
        for word in text.split(whereSeparator: \.isWhitespace) {
            if line.count + word.count >= 100 {
                print(line)
                line = ""
            }
            line += (line.isEmpty ? "" : " ") + word
        }
        print(line)
    }

    /// Something literal: JSON, a value, a line of output.
    public func show(_ text: String) {
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            print(line.isEmpty ? "" : "    " + line)
        }
    }

    /// The part of the example's own code between `// snippet.NAME` and `// snippet.end`.
    public func showCode(_ name: String) { show(source.snippet(name)) }
}

/// Prints a request that the server of an example received.
///
/// - Parameters:
///   - call: The method and the target.
///   - body: The body as text.
public func showRequest(_ call: String, _ body: some Sequence<UInt8>) {
    let text = String(decoding: Array(body), as: UTF8.self)
    print("    -> \(call)" + (text.isEmpty ? "" : " \(text)"))
}
