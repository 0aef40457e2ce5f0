/// A dispatch source that can be used on any thread.
///
/// Unchecked: sources are thread-safe, which Dispatch declares on Apple platforms only.
struct SharedSource<Source>: @unchecked Sendable {
    let source: Source

    init(_ source: Source) { self.source = source }
}
