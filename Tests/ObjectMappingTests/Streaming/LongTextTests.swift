import Testing

@testable import ObjectMapping

/// Texts whose offsets do not fit into `Int`: with 32 bits, those that are longer than 2 GB.
@Suite struct LongTextTests {
    @Test(arguments: [0, 1, 63, 64, 5000])
    func `a text in pieces ends with an error before its offsets overflow`(bytesLeft: Int) {
        let window = Window(capacity: 64, elementLimit: 1024, position: TextPosition(offset: .max - 128 - bytesLeft))
        let piece = Array(repeating: UInt8(ascii: " "), count: 50)
        var place = window.start
        var length = 0
        #expect(throws: WindowFailure.tooLong) {
            while length < 10_000 {
                length += try piece.withView { try window.append($0, keeping: &place) }
                place = window.end
            }
        }
        #expect(length >= bytesLeft)
    }
}
