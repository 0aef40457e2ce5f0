import Foundation

/// Types of all kinds that `Codable` supports, for comparing decoders.
enum DecoderModels {
    enum Shape: Decodable {
        case circle(radius: Double)
        case square(Int)
        case point
    }

    enum Grade: String, Decodable, CaseIterable { case low, high }
    enum Level: Int, Decodable { case first = 1, second }

    enum Weekday: String, Decodable, Hashable, CodingKeyRepresentable { case monday, friday }

    struct Leaf: Decodable {
        var id: Int
        var name: String?
        var note: String = "note"

        private enum CodingKeys: String, CodingKey { case id, name }
    }

    struct Branch: Decodable {
        var leaf: Leaf
        var leaves: [Leaf]
        var byName: [String: Leaf]?
        var parent: [Branch]?
    }

    struct Wide: Decodable {
        var bool: Bool?
        var int: Int?
        var int8: Int8?
        var uint64: UInt64?
        var double: Double?
        var float: Float?
        var string: String?
        var date: Date?
        var data: Data?
        var url: URL?
        var decimal: Decimal?
        var grade: Grade?
        var level: Level?
        var shape: Shape?
        var ints: [Int]?
        var doubles: [[Double?]]?
        var texts: Set<String>?
        var uuid: UUID?
        var range: ClosedRange<Int>?
        var leaf: Leaf?
        var branch: Branch?
    }

    struct Required: Decodable {
        var bool: Bool
        var int: Int
        var text: String
        var texts: [String]
        var leaf: Leaf
        var leaves: [Leaf?]
    }

    class Vehicle: Decodable, CustomStringConvertible {
        var wheels: Int
        var description: String { "\(wheels)" }
    }

    final class Car: Vehicle {
        private enum CodingKeys: CodingKey { case doors, nested, list, brand }
        private enum NestedKeys: CodingKey { case deep }
        let doors: Int
        let text: String
        override var description: String { "\(wheels) \(doors) \(text)" }

        required init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: CodingKeys.self)
            doors = try values.decode(Int.self, forKey: .doors)
            var text = "\(values.contains(.brand)) "
            if values.contains(.nested) {
                let nested = try values.nestedContainer(keyedBy: NestedKeys.self, forKey: .nested)
                text += try nested.decode(String.self, forKey: .deep)
                text += "\(try nested.decodeNil(forKey: .deep)) \(nested.codingPath.map(\.stringValue)) "
            }
            if values.contains(.list) {
                var list = try values.nestedUnkeyedContainer(forKey: .list)
                while !list.isAtEnd {
                    if try list.decodeNil() { continue }
                    if let number = try? list.decode(Int.self) {
                        text += "\(number) "
                    } else if let number = try? list.decodeIfPresent(Double.self) {
                        text += "\(number) "
                    } else if var inner = try? list.nestedUnkeyedContainer() {
                        text +=
                            "\(inner.count ?? -1) \(inner.codingPath.map(\.stringValue)) \(try inner.decode(Bool.self)) "
                    } else if let inner = try? list.nestedContainer(keyedBy: NestedKeys.self) {
                        text += "\(inner.allKeys.count) "
                    } else {
                        text += "\(try Leaf(from: list.superDecoder()))"
                    }
                }
            }
            self.text = text
            try super.init(from: values.superDecoder())
        }
    }

    /// Reads its superclass's properties from the same object.
    final class Bus: Vehicle {
        private enum CodingKeys: CodingKey { case seats }
        let seats: Int
        override var description: String { "\(wheels) \(seats)" }

        required init(from decoder: any Decoder) throws {
            seats = try decoder.container(keyedBy: CodingKeys.self).decode(Int.self, forKey: .seats)
            try super.init(from: decoder)
        }
    }

    /// One of several forms, tried in order.
    enum Loose: Decodable {
        case number(Double)
        case text(String)
        case truth(Bool)
        case list([Loose])
        case object([String: Loose])
        case null

        init(from decoder: any Decoder) throws {
            let value = try decoder.singleValueContainer()
            if value.decodeNil() {
                self = .null
            } else if let number = try? value.decode(Double.self) {
                self = .number(number)
            } else if let text = try? value.decode(String.self) {
                self = .text(text)
            } else if let truth = try? value.decode(Bool.self) {
                self = .truth(truth)
            } else if let list = try? value.decode([Loose].self) {
                self = .list(list)
            } else {
                self = .object(try value.decode([String: Loose].self))
            }
        }
    }

    struct SnakeNames: Decodable {
        var firstName: String?
        var imageURL: String?
        var imageUrl: String?
        var _privateKey: Int?
        var trailing_: Int?
        var x1y: Int?
        var x1Y: Int?
        var plain: Int?
        var already: [String: Int]?
        var innerItems: [SnakeNames]?
    }
}
