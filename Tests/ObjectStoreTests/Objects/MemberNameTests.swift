import ObjectMapping
import ObjectStore
import Testing

@Suite struct MemberNameTests {
    @Test func `attributes may have the names of the base class's members`() throws {
        let store = try ManagedObjectStore(inMemory: ObjectModel(Issue.self))
        let context = ObjectContext(store)
        let issue = Issue(in: context)
        (issue.state, issue.row, issue.context, issue.isDeleted) = ("open", 5, "app", true)
        try context.save()
        let other = ObjectContext(store)
        let read: Issue = try other.object(with: #require(issue.managed.id))
        #expect(read.state == "open" && read.row == 5 && read.context == "app" && read.isDeleted)
    }
}

/// A class that uses names which the base class uses inside.
final class Issue: ManagedObject {
    @Stored var state = ""
    @Stored var row = 0
    @Stored var context: String? = nil
    @Stored var isDeleted = false
}
