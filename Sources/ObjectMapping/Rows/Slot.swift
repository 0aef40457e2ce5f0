/// One attribute of one row in storage form, 16 bytes; texts stay where they are.
package struct Slot {
    package enum Tag: UInt8 { case absent, null, integer, real, text, blob }

    package var tag = Tag.absent
    /// Whether the bytes lie in the element's scratch memory (`bits` is their offset there) or in the window (`bits` is their address).
    package var isScratch = false
    /// Bytes of a text or blob.
    package var count: UInt32 = 0
    /// An integer's or a real's bit pattern, or the place of the bytes.
    package var bits: UInt64 = 0

    package init() {}

    package init(_ tag: Tag, bits: UInt64 = 0, count: Int = 0, isScratch: Bool = false) {
        self.tag = tag
        self.isScratch = isScratch
        self.count = UInt32(truncatingIfNeeded: count)
        self.bits = bits
    }

    package var integer: Int64 { Int64(bitPattern: bits) }
    package var real: Double { Double(bitPattern: bits) }
}
