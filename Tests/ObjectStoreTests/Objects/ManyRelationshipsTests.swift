import ObjectMapping
import Testing

@testable import ObjectStore

/// The indexes of its lists differ by 64.
private final class Wide: ManagedObject {
    @ToMany(inverse: \Leaf.first) var firsts: [Leaf]
    @ToOne var other0: Leaf?
    @ToOne var other1: Leaf?
    @ToOne var other2: Leaf?
    @ToOne var other3: Leaf?
    @ToOne var other4: Leaf?
    @ToOne var other5: Leaf?
    @ToOne var other6: Leaf?
    @ToOne var other7: Leaf?
    @ToOne var other8: Leaf?
    @ToOne var other9: Leaf?
    @ToOne var other10: Leaf?
    @ToOne var other11: Leaf?
    @ToOne var other12: Leaf?
    @ToOne var other13: Leaf?
    @ToOne var other14: Leaf?
    @ToOne var other15: Leaf?
    @ToOne var other16: Leaf?
    @ToOne var other17: Leaf?
    @ToOne var other18: Leaf?
    @ToOne var other19: Leaf?
    @ToOne var other20: Leaf?
    @ToOne var other21: Leaf?
    @ToOne var other22: Leaf?
    @ToOne var other23: Leaf?
    @ToOne var other24: Leaf?
    @ToOne var other25: Leaf?
    @ToOne var other26: Leaf?
    @ToOne var other27: Leaf?
    @ToOne var other28: Leaf?
    @ToOne var other29: Leaf?
    @ToOne var other30: Leaf?
    @ToOne var other31: Leaf?
    @ToOne var other32: Leaf?
    @ToOne var other33: Leaf?
    @ToOne var other34: Leaf?
    @ToOne var other35: Leaf?
    @ToOne var other36: Leaf?
    @ToOne var other37: Leaf?
    @ToOne var other38: Leaf?
    @ToOne var other39: Leaf?
    @ToOne var other40: Leaf?
    @ToOne var other41: Leaf?
    @ToOne var other42: Leaf?
    @ToOne var other43: Leaf?
    @ToOne var other44: Leaf?
    @ToOne var other45: Leaf?
    @ToOne var other46: Leaf?
    @ToOne var other47: Leaf?
    @ToOne var other48: Leaf?
    @ToOne var other49: Leaf?
    @ToOne var other50: Leaf?
    @ToOne var other51: Leaf?
    @ToOne var other52: Leaf?
    @ToOne var other53: Leaf?
    @ToOne var other54: Leaf?
    @ToOne var other55: Leaf?
    @ToOne var other56: Leaf?
    @ToOne var other57: Leaf?
    @ToOne var other58: Leaf?
    @ToOne var other59: Leaf?
    @ToOne var other60: Leaf?
    @ToOne var other61: Leaf?
    @ToOne var other62: Leaf?
    @ToMany(inverse: \Leaf.second) var seconds: [Leaf]
}

private final class Leaf: ManagedObject {
    @Stored var number = 0
    @ToOne var first: Wide?
    @ToOne var second: Wide?
}

@Suite struct `Classes with many relationships` {
    private let context: ObjectContext
    private let wide: Wide
    private let leaves: [Leaf]

    init() throws {
        let context = ObjectContext(try ManagedObjectStore(inMemory: ObjectModel(Wide.self, Leaf.self)))
        (self.context, wide) = (context, Wide(in: context))
        leaves = (0..<3).map { _ in Leaf(in: context) }
        try context.save()
    }

    @Test func `lists whose indexes differ by 64 are changed together`() throws {
        wide.firsts = [leaves[0]]
        wide.seconds = [leaves[1]]
        try context.save()
        #expect(leaves.map { $0.first === wide } == [true, false, false])
        #expect(leaves.map { $0.second === wide } == [false, true, false])
    }

    @Test func `such lists are changed alternately`() throws {
        for leaf in leaves {
            wide.firsts.append(leaf)
            wide.seconds.insert(leaf, at: 0)
        }
        try context.save()
        context.refresh()
        #expect(wide.firsts.count == 3 && wide.seconds.count == 3)
        #expect(leaves.allSatisfy { $0.first === wide && $0.second === wide })
    }
}
