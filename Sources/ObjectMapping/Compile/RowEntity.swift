/// Maps objects to the rows of one table: a mapping whose destinations are named by strings.
package struct RowEntity: Sendable {
    package var name: String
    /// Slot `i` of a row is attribute `i`.
    package var attributes: [RowAttribute]
    package var relationships: [RowRelationship]
    /// The wrapper names with which a mixed source selects this entity.
    package var elementNames: [String]

    package init(
        name: String, attributes: [RowAttribute], relationships: [RowRelationship], elementNames: [String] = []
    ) {
        self.name = name
        self.attributes = attributes
        self.relationships = relationships
        self.elementNames = elementNames
    }
}

/// A column and the source of its value.
package struct RowAttribute: Sendable {
    package var name: String
    package var type: AttributeType
    package var source: RowSource
    /// Whether an absent or null value is an issue.
    package var isRequired: Bool
    /// A regular expression whose first capture is the value; a text that does not match counts as absent.
    package var pattern: String?
    /// The format of a date; `nil` for the default one.
    package var dateFormat: DateFormat?

    package init(
        name: String, type: AttributeType, source: RowSource, isRequired: Bool = false, pattern: String? = nil,
        dateFormat: DateFormat? = nil
    ) {
        self.name = name
        self.type = type
        self.source = source
        self.isRequired = isRequired
        self.pattern = pattern
        self.dateFormat = dateFormat
    }
}

/// The source of a column's value.
package enum RowSource: Sendable {
    case path(JSONKeyPath)
    /// The key of the member, if the elements of a source or the objects of a relationship are the members of an object.
    case memberName
    /// Several values joined by a separator; absent if one of them is absent or null.
    case joined([RowPart], separator: String)
}

/// One of the joined values.
package struct RowPart: Sendable, ExpressibleByStringLiteral {
    package var path: JSONKeyPath
    /// A regular expression whose first capture is the value; a text that does not match counts as absent.
    package var pattern: String?

    package init(_ path: JSONKeyPath, pattern: String? = nil) {
        self.path = path
        self.pattern = pattern
    }

    package init(stringLiteral path: String) { self.init(JSONKeyPath(path)) }
}

/// A relationship of an entity; nested in the payload if it has a path.
package struct RowRelationship: Sendable {
    package var name: String
    package var path: JSONKeyPath?
    /// The index of the destination entity.
    package var destination: Int
    package var isToMany: Bool
    /// Whether the objects are the members of an object.
    package var areMembers: Bool

    package init(name: String, path: JSONKeyPath?, destination: Int, isToMany: Bool, areMembers: Bool = false) {
        self.name = name
        self.path = path
        self.destination = destination
        self.isToMany = isToMany
        self.areMembers = areMembers
    }
}

/// Completes a row after the members of its object are read: joins columns, and checks required ones.
final class RowCompletion {
    struct Join {
        var parts: [Int]
        var separator: String
        var entry: EntryRef
    }

    struct Required {
        var slot: Int
        var name: String
        var rule: Int32
    }

    private let joins: [Join]
    private let required: [Required]
    private let memberNames: [EntryRef]

    init(joins: [Join], required: [Required], memberNames: [EntryRef]) {
        self.joins = joins
        self.required = required
        self.memberNames = memberNames
    }

    /// Stores the key of the member that is the row's object.
    func storeMemberName(_ name: String, _ reader: inout PlanReader, at start: Bytes) {
        for entry in memberNames { reader.storeMade(name, entry, at: start) }
    }

    func join(_ reader: inout PlanReader, at start: Bytes) {
        for join in joins {
            var text = ""
            var isComplete = true
            for (index, part) in join.parts.enumerated() {
                let slot = reader.rows.slot(part)
                guard slot.tag == .text else {
                    isComplete = false
                    break
                }
                let bytes = slot.bytes(inScratch: Bytes(reader.rows.scratch.start))
                text += (index > 0 ? join.separator : "") + String(decoding: bytes, as: UTF8.self)
            }
            if isComplete { reader.storeMade(text, join.entry, at: start) }
        }
        let offset = reader.offset(start)
        for column in required where [.absent, .null].contains(reader.rows.slot(column.slot).tag) {
            // An invalid value is already an issue. The findings of this object are the last ones.
            let own = reader.findings.kept.reversed().prefix { $0.offset >= offset }
            let isKnown = own.contains {
                ($0.rule == column.rule || $0.otherRules.contains(column.rule))
                    && $0.row == reader.rows.openSerial && $0.kind != .duplicateKey
            }
            // Further issues of an element that exceeds the limit are not reported.
            if isKnown || reader.findings.isOverflowing { continue }
            reader.note(.missing, at: start, column.rule, "a value for '\(column.name)'", "no value")
        }
    }
}
