/// A first-in, first-out queue; its operations at the ends take amortized constant time.
struct FIFOQueue<Element> {
    /// `nil` for removed elements.
    private var elements: [Element?] = []
    private var head = 0

    var count: Int { elements.count - head }
    var first: Element? { head < elements.count ? elements[head] : nil }
    var last: Element? { head < elements.count ? elements[elements.count - 1] : nil }

    mutating func append(_ element: Element) { elements.append(element) }

    /// Inserts an element before the first element that matches, in linear time from the front.
    mutating func insert(_ element: Element, before isBehind: (Element) -> Bool) {
        let place = elements[head...].firstIndex { $0.map(isBehind) ?? false } ?? elements.endIndex
        elements.insert(element, at: place)
    }

    mutating func replace(at index: Int, with element: Element) { elements[head + index] = element }

    /// Removes and returns the first element; `nil` if the queue is empty.
    mutating func takeFirst() -> Element? {
        guard head < elements.count, let element = elements[head].take() else { return nil }
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

extension FIFOQueue: Sendable where Element: Sendable {}
