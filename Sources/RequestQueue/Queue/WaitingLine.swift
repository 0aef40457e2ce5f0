/// A line of elements: the first that came is the first that goes, in constant time on the average.
struct WaitingLine<Element> {
    /// Nil where one has left.
    private var elements: [Element?] = []
    private var head = 0

    var count: Int { elements.count - head }
    var first: Element? { head < elements.count ? elements[head] : nil }

    mutating func append(_ element: Element) { elements.append(element) }

    /// Puts an element before the first that is behind it: it is looked for from the front.
    mutating func insert(_ element: Element, before isBehind: (Element) -> Bool) {
        let place = elements[head...].firstIndex { $0.map(isBehind) ?? false } ?? elements.endIndex
        elements.insert(element, at: place)
    }

    mutating func replace(at index: Int, with element: Element) { elements[head + index] = element }

    /// Takes the first out, if there is one.
    mutating func takeFirst() -> Element? {
        guard let element = first else { return nil }
        elements[head] = nil
        head += 1
        if head * 2 > elements.count { compact() }
        return element
    }

    mutating func removeAll(where isRemoved: (Element) -> Bool) {
        compact()
        elements.removeAll { $0.map(isRemoved) ?? true }
    }

    private mutating func compact() {
        elements.removeFirst(head)
        head = 0
    }
}

extension WaitingLine: Sendable where Element: Sendable {}
