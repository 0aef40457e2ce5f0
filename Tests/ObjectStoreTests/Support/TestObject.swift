import Testing
@testable import ObjectMapping
@testable import ObjectStore

/// An object of an element, written as a literal, that becomes rows like a reader's.
struct TestObject: Sendable {
    /// The value of a member.
    enum Member: Sendable {
        case value(StoredValue)
        case objects([TestObject])
        /// A nested object or list that is present and null or empty.
        case cleared
    }

    var entity: String
    var members: [(String, Member)]

    init(_ entity: String, _ members: KeyValuePairs<String, Member>) {
        self.entity = entity
        self.members = members.map { ($0, $1) }
    }

    init(_ entity: String, members: [(String, Member)]) {
        self.entity = entity
        self.members = members
    }
}

extension TestObject.Member: ExpressibleByIntegerLiteral, ExpressibleByStringLiteral, ExpressibleByFloatLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByNilLiteral, ExpressibleByArrayLiteral
{
    init(integerLiteral value: Int64) { self = .value(.integer(value)) }
    init(stringLiteral value: String) { self = .value(.text(value)) }
    init(floatLiteral value: Double) { self = .value(.real(value)) }
    init(booleanLiteral value: Bool) { self = .value(.integer(value ? 1 : 0)) }
    init(nilLiteral: ()) { self = .value(StoredValue.null) }
    init(arrayLiteral elements: TestObject...) { self = elements.isEmpty ? .cleared : .objects(elements) }
}

/// Lays out rows, slots and bytes.
private struct RowBuilder {
    let model: ObjectModel
    var rows: [Row] = []
    var slots: [Slot] = []
    var scratch: [UInt8] = [0]

    mutating func add(_ object: TestObject, parent: Int = -1, relationship: Int = -1) throws {
        let entity = try #require(model.index(of: object.entity))
        let description = model.entities[entity]
        let index = rows.count
        let firstSlot = slots.count
        rows.append(row(entity, parent, relationship, firstSlot))
        slots += Array(repeating: Slot(), count: description.attributes.count)
        for (name, member) in object.members {
            if let attribute = description.attributes.firstIndex(where: { $0.name == name }) {
                guard case .value(let value) = member else { throw WrongTestObject(name: name) }
                slots[firstSlot + attribute] = slot(value)
                continue
            }
            guard let relationship = description.relationships.firstIndex(where: { $0.name == name }) else {
                throw WrongTestObject(name: name)
            }
            switch member {
            case .objects(let children):
                for child in children { try add(child, parent: index, relationship: relationship) }
            case .cleared, .value: rows.append(row(-1, index, relationship, slots.count))
            }
        }
    }

    private func row(_ entity: Int, _ parent: Int, _ relationship: Int, _ firstSlot: Int) -> Row {
        Row(
            entity: Int32(entity), parent: Int32(parent), relationship: Int32(relationship),
            firstSlot: Int32(firstSlot), offset: 0)
    }

    private mutating func slot(_ value: StoredValue) -> Slot {
        switch value {
        case .null: return Slot(.null)
        case .integer(let value): return Slot(.integer, bits: UInt64(bitPattern: value))
        case .real(let value): return Slot(.real, bits: value.bitPattern)
        case .text(let text): return slot(.text, Array(text.utf8))
        case .blob(let bytes): return slot(.blob, bytes)
        }
    }

    private mutating func slot(_ tag: Slot.Tag, _ bytes: [UInt8]) -> Slot {
        defer { scratch += bytes }
        return Slot(tag, bits: UInt64(scratch.count), count: bytes.count, isScratch: true)
    }
}

struct WrongTestObject: Error {
    let name: String
}

extension RowStore {
    /// Writes an element.
    func insert(_ object: TestObject) throws {
        var builder = RowBuilder(model: schema.model)
        try builder.add(object)
        try builder.rows.withUnsafeMutableBufferPointer { rows in
            try builder.slots.withUnsafeMutableBufferPointer { slots in
                try builder.scratch.withUnsafeBufferPointer { scratch in
                    let start = try #require(rows.baseAddress)
                    let slots = try #require(slots.baseAddress)
                    let scratch = try #require(scratch.baseAddress)
                    try insert(
                        ElementRows(rows: Ref(start).view(rows.count), slots: Ref(slots), scratch: Bytes(scratch)))
                }
            }
        }
    }
}
