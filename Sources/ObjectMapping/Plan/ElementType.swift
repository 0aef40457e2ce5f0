/// What a list does with values of one type; the closures are made where the type is known, and run without generics.
@usableFromInline struct ElementType: @unchecked Sendable {  // guarded by having constants only
    let stride: Int
    let alignment: Int
    /// The array's type, for explanations.
    let list: () -> Any.Type
    /// Moves values out of the first memory into a new array, which the second memory holds afterwards.
    let moveToArray: (_ source: Memory, _ count: Int, Memory) -> Void
    /// The same, where the second memory holds an array already.
    let replaceArray: (_ source: Memory, _ count: Int, Memory) -> Void
    /// Copies the array in the first memory over that in the second.
    let copyArray: (_ source: Memory, Memory) -> Void
    /// Moves values from the first memory to the second.
    let move: (_ source: Memory, _ count: Int, Memory) -> Void
    let destroy: (Memory, _ count: Int) -> Void

    @usableFromInline init(
        stride: Int, alignment: Int, list: @escaping () -> Any.Type,
        moveToArray: @escaping (Memory, Int, Memory) -> Void,
        replaceArray: @escaping (Memory, Int, Memory) -> Void,
        copyArray: @escaping (Memory, Memory) -> Void,
        move: @escaping (Memory, Int, Memory) -> Void,
        destroy: @escaping (Memory, Int) -> Void
    ) {
        self.stride = max(1, stride)
        self.alignment = alignment
        self.list = list
        self.moveToArray = moveToArray
        self.replaceArray = replaceArray
        self.copyArray = copyArray
        self.move = move
        self.destroy = destroy
    }

    @inlinable @inline(__always) init<Element>(_: Element.Type) {
        self.init(
            stride: MemoryLayout<Element>.stride, alignment: MemoryLayout<Element>.alignment, list: { [Element].self },
            moveToArray: { source, count, target in
                target.initialize(as: [Element].self, to: [Element](moving: source, count))
            },
            replaceArray: { source, count, target in
                target[as: [Element].self] = [Element](moving: source, count)
            },
            copyArray: { source, target in
                target[as: [Element].self] =
                    source[as: [Element].self]
            },
            move: { source, count, target in
                target.moveInitialize(as: Element.self, from: source, count: count)
            },
            destroy: { memory, count in
                memory.deinitialize(as: Element.self, count: count)
            })
    }
}

extension ElementType {
    /// How many values a text will have made at its end, if the rest of it is like its beginning.
    ///
    /// Memory for them takes at most four times as many bytes as the text, and is not touched before there are values.
    func likelyCount(after count: Int, in read: Int, of all: Int) -> Int {
        let likely = Double(count) * Double(all) / Double(max(1, read)) * 1.05
        return count + Int(min(likely, Double(all) * 4 / Double(stride)))
    }
}
