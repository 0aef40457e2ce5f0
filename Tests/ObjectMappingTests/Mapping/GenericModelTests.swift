import ObjectMapping
import Synchronization
import Testing

private struct Page<Item: Mappable>: Mappable {
    var items: [Item] = []
    var next: Int?
    var related: [Page] = []

    static var mapping: Mapping<Page> {
        .once {
            // Not the name, which the compiler writes differently in release builds.
            made.withLock { $0.append(ObjectIdentifier(Item.self)) }
            return Mapping(Page.init) {
                Relationship("items", \.items)
                Attribute("next", \.next)
                Relationship("related", \.related)
            }
        }
    }

    static var items: Mapping<Page> { .once { Mapping(Page.init) { Relationship("items", \.items) } } }
}

private struct Leaf: Mappable {
    var id = 0
    static let mapping = Mapping(Leaf.init) { Attribute("id", \.id) }
}

private let made = Mutex<[ObjectIdentifier]>([])

struct GenericModelTests {
    @Test func `A generic model has one mapping for each type, created at the first use`() throws {
        try Page<Leaf>.mapping.validate()
        let page = try Page<Leaf>.mapping.map(
            #"{"items": [{"id": 1}, {"id": 2}], "next": 2, "related": [{"items": [{"id": 3}]}]}"#)
        #expect(page.items.map(\.id) == [1, 2] && page.next == 2 && page.related.first?.items.first?.id == 3)
        let nested = try Page<Page<Leaf>>.mapping.map(#"{"items": [{"items": [{"id": 4}]}]}"#)
        #expect(nested.items.first?.items.first?.id == 4)
        #expect(made.withLock { Set($0) } == [ObjectIdentifier(Leaf.self), ObjectIdentifier(Page<Leaf>.self)])
        #expect(made.withLock { $0.count } == 2)
    }

    @Test func `Several mappings of one type are distinguished by their lines`() throws {
        let text = #"{"items": [{"id": 1}], "next": 2}"#
        #expect(try Page<Leaf>.items.map(text).next == nil)
        #expect(try Page<Leaf>.items.map(text).items.count == 1)
    }
}
