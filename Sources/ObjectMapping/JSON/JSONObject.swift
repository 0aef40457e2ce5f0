import Synchronization

/// The members of a JSON object, in the order of the text.
///
/// ```swift
/// for (key, value) in json["user"].object ?? [:] { … }
/// ```
public struct JSONObject: Sendable, RandomAccessCollection, ExpressibleByDictionaryLiteral {
    /// A key and its value.
    public typealias Element = (key: String, value: JSON)

    /// Up to this many members, looking at each is as fast as an index.
    private static let indexThreshold = 16

    private final class Box: Sendable {
        let members: [Element]
        private let index = Mutex<[ExactText: Int]?>(nil)

        init(_ members: [Element]) { self.members = members }

        func position(of key: String) -> Int? {
            index.withLock { index in
                if index == nil {
                    index = Dictionary(
                        members.enumerated().map { (ExactText(text: $1.key), $0) },
                        uniquingKeysWith: { _, last in last })
                }
                return index?[ExactText(text: key)]
            }
        }
    }

    private let box: Box

    /// The object with members in this order; of a repeated key the last value takes the place of the first one.
    public init(_ members: some Sequence<Element>) {
        self.init(unique: JSONObject.withoutRepetition(Array(members)) ?? Array(members))
    }

    /// The object with members in this order; of a repeated key the last value takes the place of the first one.
    public init(dictionaryLiteral members: (String, JSON)...) {
        self.init(members.map { (key: $0.0, value: $0.1) })
    }

    /// The object with members whose keys are known to differ.
    init(unique members: [Element]) { box = members.isEmpty ? JSONObject.empty : Box(members) }

    /// Shared, as each decode is given an object without members unless the caller has metadata.
    private static let empty = Box([])

    /// The members with each key once; nil if there is no repeated key.
    static func withoutRepetition(_ members: [Element]) -> [Element]? {
        guard members.count > 1 else { return nil }
        var positions: [ExactText: Int] = [:]
        var kept: [Element] = []
        for member in members {
            if let position = positions[ExactText(text: member.key)] {
                kept[position].value = member.value
            } else {
                positions[ExactText(text: member.key)] = kept.count
                kept.append(member)
            }
        }
        return kept.count == members.count ? nil : kept
    }

    /// The keys, in order; gathered at each call.
    public var keys: [String] { box.members.map(\.key) }
    /// The values, in the order of their keys; gathered at each call.
    public var values: [JSON] { box.members.map(\.value) }

    /// The position of the first member: 0.
    public var startIndex: Int { 0 }
    /// The number of members.
    public var endIndex: Int { box.members.count }

    /// The member at a position from 0 up to `count`.
    public subscript(position: Int) -> Element { box.members[position] }

    /// The value of a key; nil if there is none.
    ///
    /// - Complexity: O(1) on average; the first look into an object of more than 16 members is O(*n*).
    public subscript(key: String) -> JSON? { position(of: key).map { box.members[$0].value } }

    /// The position of a key; nil if there is none.
    func position(of key: String) -> Int? {
        if count > Self.indexThreshold { return box.position(of: key) }
        let key = ExactText(text: key)
        for (position, member) in box.members.enumerated() where ExactText(text: member.key) == key { return position }
        return nil
    }
}

extension JSONObject: CustomStringConvertible {
    /// The object as JSON text without blanks.
    public var description: String { JSON.object(self).text }
}

extension JSONObject: Hashable {
    /// Whether both have the same keys with equal values, in whatever order.
    public static func == (a: JSONObject, b: JSONObject) -> Bool {
        a.count == b.count && a.allSatisfy { b[$0.key] == $0.value }
    }

    /// Feeds the members to a hasher in a way that does not depend on their order.
    public func hash(into hasher: inout Hasher) {
        var sum = 0
        for (key, value) in self {
            var member = Hasher()
            member.combine(ExactText(text: key))
            member.combine(value)
            sum &+= member.finalize()
        }
        hasher.combine(sum)
    }
}

/// A text that equals another one only if their Unicode scalars are the same, as JSON has it.
struct ExactText: Hashable, Sendable {
    let text: String

    static func == (a: ExactText, b: ExactText) -> Bool {
        // Strings whose scalars are the same are equal, and most that differ are told apart faster so.
        guard a.text.utf8.count == b.text.utf8.count, a.text == b.text else { return false }
        let isSame = a.text.utf8.withContiguousStorageIfAvailable { a in
            b.text.utf8.withContiguousStorageIfAvailable { b in
                UnsafeRawBufferPointer(a).isSame(as: UnsafeRawBufferPointer(b))
            }
        }
        return isSame.flatMap(\.self) ?? a.text.utf8.elementsEqual(b.text.utf8)
    }

    func hash(into hasher: inout Hasher) {
        let isDone: Void? = text.utf8.withContiguousStorageIfAvailable {
            hasher.combine(bytes: UnsafeRawBufferPointer($0))
        }
        if isDone == nil { for byte in text.utf8 { hasher.combine(byte) } }
        // No byte of UTF-8 ends a text, so that neighbours in one hash stay apart.
        hasher.combine(0xFF as UInt8)
    }
}

extension UnsafeRawBufferPointer {
    /// Whether the bytes are the same as as many others.
    fileprivate func isSame(as other: UnsafeRawBufferPointer) -> Bool {
        guard let start = baseAddress, let otherStart = other.baseAddress else { return true }
        return memcmp(start, otherStart, count) == 0
    }
}
