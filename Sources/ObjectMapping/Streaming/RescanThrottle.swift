/// Decides when bytes that came are worth another try, so that a large value is not read again for each few of them.
///
/// An element is tried as soon as it may be whole, as its source may be a live one; and each time that what is there
/// has doubled, so that broken text is found.
struct RescanThrottle {
    /// Rereading so many bytes costs nothing that counts.
    private static var cheap: Int { 1 << 14 }

    private var end = ValueEndScanner()
    private var isElement = false
    /// So many bytes are tried in any case.
    private var limit = 0

    /// A try came to nothing.
    ///
    /// - Parameters:
    ///   - kept: What was there, from the start of what is to be read.
    ///   - isElement: Whether it is an element.
    ///   - isLine: Whether only the end of its line is looked for, which looks at no byte twice.
    mutating func wait(for kept: UnsafeRawBufferPointer, isElement: Bool, isLine: Bool) {
        if isElement, !self.isElement { end = ValueEndScanner() }
        self.isElement = isElement
        limit = isLine || (!isElement && kept.count < RescanThrottle.cheap) ? 0 : kept.count * 2
        if isElement { _ = end.isReached(in: kept) }
    }

    /// Whether another try is worthwhile.
    mutating func isOver(_ kept: UnsafeRawBufferPointer) -> Bool {
        kept.count >= limit || (isElement && end.isReached(in: kept))
    }
}
