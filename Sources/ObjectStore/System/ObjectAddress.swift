import CMappingRuntime

/// The address of a managed object, which does not retain it.
///
/// Safe: `object` may be called only while the object's deinitializer cannot have completed, because it waits for a
/// lock that the caller holds.
@safe struct ObjectAddress: Sendable, Equatable {
    private let bits: UInt

    /// The address of no object; an optional would take twice the memory.
    static let null = ObjectAddress(bits: 0)

    private init(bits: UInt) { self.bits = bits }

    init(_ object: ManagedObject) { bits = unsafe UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque()) }

    /// The object; `nil` in its deinitializer.
    var object: ManagedObject? {
        guard let address = unsafe UnsafeMutableRawPointer(bitPattern: bits), let retained = unsafe try_retain(address)
        else { return nil }
        return unsafe Unmanaged<ManagedObject>.fromOpaque(retained).takeRetainedValue()
    }
}
