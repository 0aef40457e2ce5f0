/// What a list does with values of one type; the closures are made where the type is known, and run without generics.
@usableFromInline struct ElementType: @unchecked Sendable {  // guarded by having constants only
    let stride: Int
    let alignment: Int
    /// The array's type, for explanations.
    let list: () -> Any.Type
    /// Moves values out of the first memory into a new array, which the second memory holds afterwards.
    let moveToArray: (_ source: UnsafeMutableRawPointer, _ count: Int, UnsafeMutableRawPointer) -> Void
    /// The same, where the second memory holds an array already.
    let replaceArray: (_ source: UnsafeMutableRawPointer, _ count: Int, UnsafeMutableRawPointer) -> Void
    /// Copies the array in the first memory over that in the second.
    let copyArray: (_ source: UnsafeMutableRawPointer, UnsafeMutableRawPointer) -> Void
    /// Moves values from the first memory to the second.
    let move: (_ source: UnsafeMutableRawPointer, _ count: Int, UnsafeMutableRawPointer) -> Void
    let destroy: (UnsafeMutableRawPointer, _ count: Int) -> Void

    @usableFromInline init(
        stride: Int, alignment: Int, list: @escaping () -> Any.Type,
        moveToArray: @escaping (UnsafeMutableRawPointer, Int, UnsafeMutableRawPointer) -> Void,
        replaceArray: @escaping (UnsafeMutableRawPointer, Int, UnsafeMutableRawPointer) -> Void,
        copyArray: @escaping (UnsafeMutableRawPointer, UnsafeMutableRawPointer) -> Void,
        move: @escaping (UnsafeMutableRawPointer, Int, UnsafeMutableRawPointer) -> Void,
        destroy: @escaping (UnsafeMutableRawPointer, Int) -> Void
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
                target.initializeMemory(as: [Element].self, to: [Element](moving: source, count))
            },
            replaceArray: { source, count, target in
                target.assumingMemoryBound(to: [Element].self).pointee = [Element](moving: source, count)
            },
            copyArray: { source, target in
                target.assumingMemoryBound(to: [Element].self).pointee =
                    source.assumingMemoryBound(to: [Element].self).pointee
            },
            move: { source, count, target in
                target.moveInitializeMemory(
                    as: Element.self, from: source.assumingMemoryBound(to: Element.self), count: count)
            },
            destroy: { memory, count in
                memory.assumingMemoryBound(to: Element.self).deinitialize(count: count)
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

extension Array {
    /// Moves values out of memory.
    @inlinable @inline(__always) init(moving source: UnsafeMutableRawPointer, _ count: Int) {
        self = []
        append(moving: source, count)
    }

    /// Moves values out of memory to the end.
    @inlinable @inline(__always) mutating func append(moving source: UnsafeMutableRawPointer, _ count: Int) {
        // Appending nothing would write to the one empty array that all threads share.
        guard count > 0 else { return }
        let source = source.assumingMemoryBound(to: Element.self)
        #if compiler(>=6.3)
            // Unlike the initializer with a capacity this is specialized for the element: six times as fast.
            append(addingCapacity: count) { span in
                span.withUnsafeMutableBufferPointer { buffer, initialized in
                    buffer.baseAddress?.moveInitialize(from: source, count: count)
                    initialized = count
                }
            }
        #else
            self += [Element](unsafeUninitializedCapacity: count) { buffer, initialized in
                buffer.baseAddress?.moveInitialize(from: source, count: count)
                initialized = count
            }
        #endif
    }
}
