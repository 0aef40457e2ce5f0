import Foundation
import ObjectMapping
import TestSupport
import Testing

/// Compares `JSONDecoder` of the platform with `MappingDecoder`.
struct DecoderParityTests {
    private typealias Models = DecoderModels

    private static let scalarTexts = [
        "null", "true", "false", "0", "-0", "1", "-1", "127", "128", "255", "256", "-129", "65536", "2147483648",
        "4294967296", "9007199254740993", "9223372036854775807", "9223372036854775808", "-9223372036854775808",
        "18446744073709551615", "18446744073709551616", "1.0", "1.5", "-2.50",
        "1e3", "1E+2", "12e-1", "120e-1", "1e18", "1e19", "1e40", "1.7976931348623157e308",
        "1e309", "1e-45", "1e-46", "5e-324", "0.1", "0.30000001192092896", "16777217",
        "1.00000017881393432617187499", "1.00000017881393432617187501", "123456789.123456789", "\"\"", "\"1\"", "\"a\"",
        "\"Infinity\"", "\"-Infinity\"", "\"NaN\"", "\"true\"", "\"2026-11-21T07:23:00Z\"",
        "\"2026-11-21T07:23:00+01:00\"",
        "\"2026-11-21T07:23:00.5Z\"", "\"2026-11-21\"", "\"2026-02-30T00:00:00Z\"", "\"2026-11-21T07:23:60Z\"",
        "\"2026-11-21T24:00:00Z\"", "\"2026-11-21t07:23:00z\"", "\"0001-01-01T00:00:00Z\"", "\"1899-12-31T00:00:00Z\"",
        "\"aGVsbG8=\"", "\"aGVsbG8\"", "\"a GVs\"", "\"https://example.com/a?b=c\"", "\"a b\"", "\"low\"", "\"monday\"",
        "\"\\u00e9\\n\"", "\"\\ud83d\\ude00\"", "\"é\"", "[]", "[1]", "[1,null]", "[null]", "[\"a\",\"b\"]", "[1.5,2]",
        "[[1],[2,3]]", "[true]", "{}", "{\"a\":1}", "{\"a\":null}", "{\"1\":\"x\"}", "{\"monday\":1}",
        "{\"sunday\":1}", "{\"a\":1,\"a\":2}", "{\"point\":{}}", "{\"square\":{\"_0\":3}}",
        "{\"circle\":{\"radius\":1}}",
        "{\"circle\":{}}", "\"9B2D7E0A-4B0C-4F57-8B0C-3C3E7E3A9F11\"", "[\"monday\",1]",
        " 1 ", "\n[ 1 , 2 ]\n", "{\"id\":1}", "{\"name\":null}", "{\"id\":\"1\"}", "[{\"id\":1},{\"name\":\"x\"}]",
    ]

    private static let pairs = [
        DecoderPair("defaults"),
        DecoderPair(
            "epoch and texts of floats", dates: .secondsSince1970, data: .deferredToData,
            floats: .convertFromString(positiveInfinity: "Infinity", negativeInfinity: "-Infinity", nan: "NaN")),
        DecoderPair("milliseconds and snake case", dates: .millisecondsSince1970, keys: .convertFromSnakeCase),
        DecoderPair("ISO 8601", dates: .iso8601),
        DecoderPair(
            "closures",
            dates: .custom { decoder in
                let text = try decoder.singleValueContainer().decode(String.self)
                return Date(timeIntervalSinceReferenceDate: Double(text.count + decoder.codingPath.count))
            },
            data: .custom { Data(try $0.singleValueContainer().decode(String.self).utf8) },
            keys: .custom { path in path[path.count - 1].stringValue == "a" ? Key("id") : path[path.count - 1] }),
    ]

    /// Differences of this library: no digit of a number is lost, and every integer in range is an integer.
    private static let exact: [(any (Decodable & SendableMetatype).Type, String, String)] = [
        (Int.self, "1.0000000000000001", "dataCorrupted at "),
        (Int.self, "1e-400", "dataCorrupted at "),
        (UInt128.self, "3.4028235e38", "340282350000000000000000000000000000000"),
        (Decimal.self, "0e-400", "0"),
        (Decimal.self, "940282366920938463463374607431768211457", "dataCorrupted at "),
        (Decimal.self, "0.12345678901234567890123456789012345678912", "dataCorrupted at "),
    ]

    /// A key of any text.
    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(_ text: String) { stringValue = text }
        init?(stringValue: String) { self.init(stringValue) }
        init?(intValue: Int) { nil }
    }

    private static func differences(_ pair: DecoderPair, _ text: String) -> [String] {
        func compare(_ types: any Decodable.Type...) -> [String] {
            types.compactMap { pair.difference($0, text) }
        }
        return compare(
            Bool.self, String.self, Double.self, Float.self, Int.self, Int8.self, Int16.self, Int32.self, Int64.self,
            Int128.self, UInt.self, UInt8.self, UInt16.self, UInt32.self, UInt64.self, UInt128.self, Date.self,
            Data.self,
            URL.self, UUID.self, Models.Grade.self, Models.Level.self, Models.Shape.self, Int?.self, String?.self,
            Date?.self, [Int].self, [Int?].self, [Double].self, [String].self, [[Int]].self, [Bool].self, Set<Int>.self,
            [Date].self, [Models.Leaf].self, Models.Leaf.self, Models.Leaf?.self, [Models.Weekday: Int].self,
            [Int: String].self, ClosedRange<Int>.self, Models.Vehicle.self, Models.Car.self, Models.Loose.self,
            [UInt8].self, Decimal.self, [String: Int?].self)
    }

    @Test(arguments: pairs.indices, scalarTexts.indices)
    func `Every type accepts the same values as JSONDecoder`(pair: Int, text: Int) {
        let pair = Self.pairs[pair]
        #expect(Self.differences(pair, Self.scalarTexts[text]) == [], "\(pair.name)")
    }

    // MARK: Whole types

    private static let texts: [(any (Decodable & SendableMetatype).Type, String)] = [
        (Models.Required.self, "{}"),
        (Models.Required.self, #"{"bool":null,"int":1}"#),
        (Models.Required.self, #"{"bool":true,"int":null}"#),
        (Models.Required.self, #"{"bool":true,"int":"1"}"#),
        (Models.Required.self, #"{"bool":true,"int":1,"text":null}"#),
        (Models.Required.self, #"{"bool":true,"int":1,"text":"a","texts":null}"#),
        (Models.Required.self, #"{"bool":true,"int":1,"text":"a","texts":["a",1]}"#),
        (Models.Required.self, #"{"bool":true,"int":1,"text":"a","texts":[],"leaf":[]}"#),
        (
            Models.Required.self,
            #"{"bool":true,"int":1,"text":"a","texts":[],"leaf":{"id":1},"leaves":[null,{"id":2},{}]}"#
        ),
        (
            Models.Required.self,
            #"{"leaves":[null],"leaf":{"name":"n","id":1},"texts":["x"],"text":"a","int":1,"bool":false}"#
        ),
        (
            Models.Required.self,
            #"{"text":"a","text":"b","bool":true,"bool":false,"int":1,"int":2,"texts":[],"leaf":{"id":1},"leaves":[]}"#
        ),
        (Models.Car.self, #"{"doors":2,"super":{"wheels":4}}"#),
        (Models.Car.self, #"{"doors":2}"#),
        (Models.Car.self, #"{"doors":2,"super":null}"#),
        (Models.Car.self, #"{"doors":2,"super":{}}"#),
        (Models.Car.self, #"{"doors":2,"nested":{"deep":"x"},"super":{"wheels":4}}"#),
        (Models.Car.self, #"{"doors":2,"nested":{"deep":1},"super":{"wheels":4}}"#),
        (Models.Car.self, #"{"doors":2,"nested":{},"super":{"wheels":4}}"#),
        (Models.Car.self, #"{"doors":2,"nested":[],"super":{"wheels":4}}"#),
        (Models.Car.self, #"{"doors":2,"list":[1,null,2.5,[true],[],{"a":1},"x"],"super":{"wheels":4}}"#),
        (Models.Car.self, #"{"doors":2,"list":[1,null,2.5,[true],{"a":1},"x"],"super":{"wheels":4}}"#),
        (Models.Car.self, #"{"doors":2,"list":[1,[1]],"super":{"wheels":4}}"#),
        (Models.Car.self, #"{"doors":2,"list":[null,{"deep":1}],"super":{"wheels":4},"brand":null}"#),
        (Models.Car.self, #"{"doors":2,"list":{},"super":{"wheels":4}}"#),
        (Models.Bus.self, #"{"seats":50,"wheels":6}"#),
        (Models.Bus.self, #"{"wheels":6,"seats":50}"#),
        (Models.Bus.self, #"{"wheels":6,"other":1,"seats":50}"#),
        (Models.Bus.self, #"{"seats":50}"#),
        (Models.Shape.self, #"{"circle":{"radius":"1"}}"#),
        (Models.Shape.self, #"{"square":{"_0":1.5}}"#),
        (Models.Shape.self, #"{"triangle":{}}"#),
        (Models.Shape.self, #"{"circle":null}"#),
        ([Models.Shape].self, #"[{"point":{}},{"square":{"_0":1}},{"circle":{"radius":-1e2}},{}]"#),
        ([String: [String: Int]].self, #"{"a":{"b_c":1},"d_e":{"f":"x"}}"#),
        ([Int: Models.Leaf].self, #"{"1":{"id":1},"x":{"id":2}}"#),
        ([Models.Weekday: [Int]].self, #"{"monday":[1],"friday":[]}"#),
        ([Models.Weekday: [Int]].self, #"{"monday":[1],"someday":[]}"#),
        (Models.Loose.self, #"[1,"a",null,[true],[{"a":{"b":[1,2]}}]]"#),
        (Models.Loose.self, #"[1,"a",null,[[]],[{"a":{"b":[1,2]}}]]"#),
        (
            Models.Branch.self,
            #"{"leaf":{"id":1},"leaves":[{"id":2}],"byName":{"x_y":{"id":3}},"parent":[{"leaf":{"id":1},"leaves":[]}]}"#
        ),
        (
            Models.Branch.self,
            #"{"leaf":{"id":1},"leaves":[{"id":2}],"parent":[{"leaf":{"id":1},"leaves":[{"id":null}]}]}"#
        ),
        (Models.Branch.self, #"{"leaf":{"id":1},"leaves":[{"id":2}],"byName":{"x":{"id":3},"y":{"id":true}}}"#),
        (
            Models.SnakeNames.self,
            #"{"first_name":"a","image_URL":"b","_private_key":1,"trailing_":2,"x1_y":3,"x1y":4,"plain":5}"#
        ),
        (
            Models.SnakeNames.self,
            #"{"FIRST_NAME":"a","image_url":"c","__private_key":1,"_":2,"":3,"__":4,"firstName":"z"}"#
        ),
        (
            Models.SnakeNames.self,
            #"{"first__name":"a","already":{"a_b":1,"c_d":2},"inner_items":[{"first_name":"q"},{"plain":"x"}]}"#
        ),
        (Models.SnakeNames.self, #"{"firstName":"camel","first_name":"snake","already":{"a_b":"x"}}"#),
        (Models.Wide.self, #"{"uint64":18446744073709551615,"int8":-129}"#),
        (Models.Wide.self, #"{"range":[1,5],"texts":["a","a"],"uuid":"x"}"#),
        (Models.Wide.self, #"{"range":[5,1]}"#),
    ]

    @Test(arguments: pairs.indices, texts.indices)
    func `Whole types are decoded to the same values and errors`(pair: Int, text: Int) {
        let pair = Self.pairs[pair]
        #expect(pair.difference(Self.texts[text].0, Self.texts[text].1) == nil, "\(pair.name)")
    }

    @Test(arguments: exact.indices) func `Numbers are exact`(index: Int) {
        func outcome(_ type: (some Decodable).Type, _ text: String) -> String {
            DecodingOutcome(type) { try Self.pairs[0].decoder.decode($0, from: text) }.description
        }
        let (type, text, expected) = Self.exact[index]
        #expect(outcome(type, text) == expected)
        #expect(Self.pairs[0].difference(type, text) != nil)
    }

    @Test func `A trailing comma is refused, on Linux, too`() {
        let text = #"["a",]"#
        let outcome = DecodingOutcome([String].self) { try Self.pairs[0].decoder.decode($0, from: text) }
        #expect(outcome.description == "dataCorrupted at ")
        #if os(Linux)
            #expect(Self.pairs[0].difference([String].self, text) != nil)
        #endif
    }

    @Test(arguments: 0..<100) func `Random objects are decoded to the same values and errors`(seed: Int) {
        var random = RandomJSON(seed: seed)
        random.keys = [
            "bool", "int", "int8", "uint64", "double", "float", "string", "date", "data", "url", "decimal", "grade",
            "level", "shape", "ints", "doubles", "texts", "uuid", "range", "leaf", "branch", "id",
            "name", "note", "leaves", "parent", "bool",
        ]
        random.repeatsKeys = seed % 3 == 0
        let pair = Self.pairs[seed % Self.pairs.count]
        for _ in 0..<3 {
            // Other tests cover the numbers for which the decoders differ.
            let text = random.object(3).replacing("1e-400", with: "1e-40")
            for type in [Models.Wide.self, Models.Loose.self, Models.Branch.self] as [any Decodable.Type] {
                #expect(pair.difference(type, text) == nil, "\(pair.name)")
            }
            // A single member shows errors that the error of the first one hides.
            for key in random.keys {
                #expect(
                    pair.difference(Models.Wide.self, "{\"\(key)\": \(random.value(2).replacing("1e-400", with: "0"))}")
                        == nil, "\(pair.name)")
            }
        }
    }
}
