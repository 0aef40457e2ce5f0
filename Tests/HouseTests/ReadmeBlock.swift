import Foundation
import TestSupport
import Testing

/// A fenced block of a Markdown page.
struct ReadmeBlock: Sendable, CustomTestStringConvertible {
    let page: String
    /// The words after the fence, such as `["json", "seed.json"]`.
    let words: [String]
    let text: String
    /// The line of the page where the text begins.
    let line: Int

    /// The name of the file that the block shows: after the language, or the last one in a line above that ends with a
    /// colon, such as "The manifest is `seed.json`:".
    let file: String?

    var language: String { words.first ?? "" }
    var testDescription: String { "\(words.joined(separator: " ")) at \(page):\(line)" }

    /// The blocks of the README, in order.
    static let readme = blocks(of: "README.md")

    /// The blocks of a page, in order.
    static func blocks(of page: String) -> [ReadmeBlock] {
        guard let text = try? resourceText(page) else { return [] }
        var blocks: [ReadmeBlock] = []
        var open: (words: [String], line: Int, lines: [Substring])?
        var caption: Substring = ""
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            if line.hasPrefix("```") {
                if let block = open {
                    let text = block.lines.map { $0 + "\n" }.joined()
                    let named = caption.hasSuffix(":") ? caption.matches(of: /`([^` ]+\.[a-z]+)`/).last : nil
                    let name = block.words.count == 2 ? block.words[1] : named.map { String($0.1) }
                    blocks.append(
                        ReadmeBlock(page: page, words: block.words, text: text, line: block.line, file: name))
                    open = nil
                } else {
                    open = (line.dropFirst(3).split(separator: " ").map(String.init), index + 2, [])
                }
            } else if open != nil {
                open?.lines.append(line)
            } else if !line.isEmpty {
                caption = line
            }
        }
        return blocks
    }
}
