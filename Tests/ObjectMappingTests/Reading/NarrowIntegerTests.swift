import Foundation
import ObjectMapping
import Testing

/// Integers where `Int` has 32 bits, as on watchOS: the scanner is the same for all widths.
@Suite struct NarrowIntegerTests {
    static let integers: [(text: String, value: Int32?)] = [
        ("0", 0), ("-1", -1), ("2147483647", .max), ("-2147483648", .min), ("2147483648", nil), ("-2147483649", nil),
        ("4294967295", nil), ("4294967296", nil), ("-4294967296", nil), ("9007199254740993", nil),
        ("999999999999999999", nil), ("-999999999999999999", nil),
    ]

    @Test(arguments: integers)
    func `an integer that does not fit into 32 bits is an error and not truncated`(text: String, value: Int32?) {
        let decoded = try? MappingDecoder().decode(Int32.self, from: Data(text.utf8))
        #expect(decoded == value)
    }

    @Test(arguments: integers)
    func `the same integers are exact with 64 bits`(text: String, value _: Int32?) throws {
        #expect(try MappingDecoder().decode(Int64.self, from: Data(text.utf8)) == Int64(text))
    }
}
