import ObjectMapping

/// An identity among the rows of one element.
struct ElementIdentity: Hashable {
    private var bytes: [UInt8] = []

    /// Nil if a part of the identity is missing: such a row is like no other.
    init?(_ slots: UnsafePointer<Slot>, _ attributes: [Int], of element: ElementRows) {
        for attribute in attributes {
            let slot = slots[attribute]
            switch slot.tag {
            case .absent, .null: return nil
            case .integer, .real: withUnsafeBytes(of: slot.bits) { bytes += $0 }
            case .text, .blob:
                withUnsafeBytes(of: slot.count) { bytes += $0 }
                bytes += element.bytes(of: slot)
            }
        }
    }
}
