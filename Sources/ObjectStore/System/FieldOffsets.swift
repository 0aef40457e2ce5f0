// Mirror gives the names and values of stored properties, but not where they are. These functions of the Swift runtime
// are what Mirror itself is built on.
@_silgen_name("swift_reflectionMirror_recursiveCount")
private func recursiveFieldCount(_ type: Any.Type) -> Int

@_silgen_name("swift_reflectionMirror_recursiveChildOffset")
private func recursiveFieldOffset(_ type: Any.Type, index: Int) -> Int

/// The offsets of the stored properties of a class in bytes from the start of an object, in the order of declaration,
/// without those of its superclass.
func fieldOffsets(of type: AnyClass, inheritedCount: Int) -> [Int] {
    let count = recursiveFieldCount(type)
    guard count > inheritedCount else { return [] }
    return (inheritedCount..<count).map { recursiveFieldOffset(type, index: $0) }
}
