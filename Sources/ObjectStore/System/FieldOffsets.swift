// Mirror provides the names and values of stored properties, but not their offsets. It is implemented with these
// functions of the Swift runtime.
@_silgen_name("swift_reflectionMirror_recursiveCount")
private func recursiveFieldCount(_ type: Any.Type) -> Int

@_silgen_name("swift_reflectionMirror_recursiveChildOffset")
private func recursiveFieldOffset(_ type: Any.Type, index: Int) -> Int

/// Returns the offsets of the stored properties of a class in an object, in the order of declaration, without those of
/// its superclass.
func fieldOffsets(of type: AnyClass, inheritedCount: Int) -> [Int] {
    let count = recursiveFieldCount(type)
    guard count > inheritedCount else { return [] }
    return (inheritedCount..<count).map { recursiveFieldOffset(type, index: $0) }
}
