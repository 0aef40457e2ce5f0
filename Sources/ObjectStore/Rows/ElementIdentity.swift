import ObjectMapping

/// An identity among the rows of one element.
struct ElementIdentity: Hashable {
    private var bytes: [UInt8] = []

    /// `nil` if a part of the identity is missing: such a row is unique.
    init?(_ slots: RowSlots, _ attributes: [Int], of element: ElementRows) {
        for attribute in attributes {
            let slot = slots[attribute]
            switch slot.tag {
            case .absent, .null: return nil
            case .integer, .real: append(slot.bits)
            case .text, .blob:
                append(UInt64(slot.count))
                bytes += element.bytes(of: slot)
            }
        }
    }

    private mutating func append(_ number: UInt64) {
        for shift in stride(from: 0, to: 64, by: 8) { bytes.append(UInt8(truncatingIfNeeded: number >> shift)) }
    }
}
