import ExampleSupport
import Foundation
import ObjectMapping
import ObjectStore

let conflicts = Example(
    "conflicts", group: "Objects",
    "Two people edit one booking: what is merged, what is a conflict, and who wins"
) { story in
    story.say("A booking that two people edit, each in a context:")
    story.showCode("declaration")

    story.say("Different attributes are merged. Neither change is lost:")
    story.showCode("merged")
    story.show(try editDifferentAttributes(try openStore()))

    story.say(
        """
        If both changed the same attribute, the second save throws, and nothing is written. The error has three values: \
        what the person saw, what they typed, and what is stored now. An app can ask, or decide by the attribute:
        """)
    story.showCode("resolving")
    for line in try resolve(try openStore()) { story.show(line) }

    story.say("A merge policy decides without asking, for each attribute that conflicts and not for the whole object:")
    story.showCode("policies")
    for line in try saveWithPolicies() { story.show(line) }

    story.say(
        """
        A booking that was deleted meanwhile is never written again, whatever the policy. `rollback()` removes the object \
        from its context:
        """)
    story.showCode("deleted")
    for line in try editDeletedBooking(try openStore()) { story.show(line) }
}

// snippet.declaration
private final class TableBooking: ManagedObject {
    @Stored(.identity) var number = 0
    @Stored var guests = 2
    @Stored var time = "19:00"
    @Stored var note = ""
}

private func openStore() throws -> ManagedObjectStore {
    let store = try ManagedObjectStore(inMemory: ObjectModel(TableBooking.self))
    let context = ObjectContext(store)
    TableBooking(in: context).number = 1
    try context.save()
    return store
}

private func booking(in context: ObjectContext) throws -> TableBooking {
    try context.find(TableBooking.self, 1) ?? TableBooking()
}
// snippet.end

// snippet.merged
private func editDifferentAttributes(_ store: ManagedObjectStore) throws -> String {
    let (host, waiter) = (ObjectContext(store), ObjectContext(store))
    let (mine, theirs) = (try booking(in: host), try booking(in: waiter))
    mine.guests = 4
    theirs.note = "window"
    try waiter.save()
    try host.save()
    return "\(mine.guests) guests at \(mine.time), \(mine.note)"
}
// snippet.end

// snippet.resolving
private func resolve(_ store: ManagedObjectStore) throws -> [String] {
    let (host, waiter) = (ObjectContext(store), ObjectContext(store))
    let (mine, theirs) = (try booking(in: host), try booking(in: waiter))
    (mine.guests, mine.time) = (4, "20:00")
    (theirs.guests, theirs.time) = (3, "18:30")
    try waiter.save()
    do throws(StoreError) {
        try host.save()
        return []
    } catch {
        let lines = error.conflicts.map { conflict in
            "\(conflict.property): was \(conflict.base ?? .null), mine \(conflict.mine), theirs \(conflict.theirs)"
        }
        // The larger table, and the time that was agreed first.
        host.rollback()
        mine.guests = max(mine.guests, 4)
        try host.save()
        return lines + ["saved: \(mine.guests) guests at \(mine.time)"]
    }
}
// snippet.end

// snippet.policies
private func saveWithPolicies() throws -> [String] {
    try [MergePolicy.storeWins, .objectWins].map { policy in
        let store = try openStore()
        let (host, waiter) = (ObjectContext(store), ObjectContext(store))
        host.mergePolicy = policy
        let (mine, theirs) = (try booking(in: host), try booking(in: waiter))
        (mine.guests, mine.time) = (4, "20:00")
        (theirs.guests, theirs.note) = (3, "window")
        try waiter.save()
        try host.save()
        return "\(policy): \(mine.guests) guests at \(mine.time), \(mine.note)"
    }
}
// snippet.end

// snippet.deleted
private func editDeletedBooking(_ store: ManagedObjectStore) throws -> [String] {
    let (host, waiter) = (ObjectContext(store), ObjectContext(store))
    host.mergePolicy = .objectWins
    let mine = try booking(in: host)
    mine.guests = 4
    waiter.delete(try booking(in: waiter))
    try waiter.save()
    do throws(StoreError) {
        try host.save()
        return []
    } catch {
        host.rollback()
        return [
            "\(error.kind): \(error.message)",
            "\(mine.managed.state), \(try host.count(TableBooking.all)) in the store",
        ]
    }
}
// snippet.end
