/// A command and everything that its help page says.
struct Command: Sendable {
    let name: String
    /// What follows the name in the usage line, as `MANIFEST -o FILE [options]`.
    let synopsis: String
    let summary: String
    /// The names of the arguments that are no options; every one must be given.
    let operands: [String]
    let options: [Option]
    /// What the help page says after the options.
    let notes: String
    let run: @Sendable (Arguments) throws -> Int32

    var usage: String { "usage: seed-db \(name) \(synopsis)" }

    static let all = [build, check, inspect, keyPath]
}
