import Observation
import Synchronization
import TestSupport
import Testing

@testable import ObjectStore

/// Observers of objects of the main context; registrars are only called while there may be observers.
@Suite @MainActor struct ObservationTests {
    let folder: TemporaryDirectory
    let store: ManagedObjectStore
    let context: ObjectContext
    let (ann, bob): (Employee, Employee)

    init() throws {
        folder = try TemporaryDirectory()
        store = try Company.store(in: folder)
        context = store.mainContext
        (ann, bob) = (context.employee(1, "Ann"), context.employee(2, "Bob"))
        try context.save()
    }

    /// What happened to a property before it is observed.
    enum History: CaseIterable {
        case nothing, read, changed, readAndChanged, changedAndRead, observed, fault
    }

    /// Counts the calls of observers.
    private final class Calls: Sendable {
        private let number = Atomic<Int>(0)
        var count: Int { number.load(ordering: .relaxed) }

        func add() { number.add(1, ordering: .relaxed) }
    }

    /// Observes what a closure reads.
    private func observe<Value>(_ read: () -> Value) -> Calls {
        let calls = Calls()
        _ = withObservationTracking(read, onChange: { calls.add() })
        return calls
    }

    private func make(_ history: History, of employee: Employee) {
        switch history {
        case .nothing: break
        case .read: _ = employee.name
        case .changed: employee.name = "Eve"
        case .readAndChanged:
            _ = employee.name
            employee.name = "Eve"
        case .changedAndRead:
            employee.name = "Eve"
            _ = employee.name
        case .observed:
            let calls = observe { employee.name }
            employee.name = "Eve"
            #expect(calls.count == 1)
        case .fault: context.refresh(employee)
        }
    }

    @Test(arguments: History.allCases) func `a change is reported to an observer, whatever happened before`(
        _ history: History
    ) throws {
        make(history, of: ann)
        for name in ["Flo", "Gus"] {
            let calls = observe { ann.name }
            // Other properties and objects have no observers.
            ann.share += 1
            bob.name += "by"
            #expect(calls.count == 0)
            ann.name = name
            ann.name = "Zoe"
            #expect(calls.count == 1)
        }
    }

    @Test func `two observers of a property are both notified, and each only once`() {
        let (first, second) = (observe { ann.name }, observe { (bob.name, ann.name) })
        ann.name = "Flo"
        #expect((first.count, second.count) == (1, 1))
        bob.name = "Gus"
        #expect((first.count, second.count) == (1, 1))
    }

    @Test func `changes in place and of relationships are reported`() {
        let department = Department(in: context)
        let names = observe { ann.nicknames }
        ann.nicknames.append("Annie")
        #expect(names.count == 1)
        let target = observe { ann.department }
        ann.department = department
        #expect(target.count == 1)
        let list = observe { ann.friends }
        ann.friends = [bob]
        #expect(list.count == 1)
    }

    @Test func `a read in the observed closure of another object does not hide later changes`() {
        let calls = observe {
            // Checks whether there are observers while the first property is not observed yet, but read.
            _ = ann.name
            bob.name = "Gus"
            ann.share = 0.25
        }
        ann.name = "Flo"
        #expect(calls.count == 1)
    }

    @Test func `an observer remains if its object leaves the context and returns`() {
        let eve = context.employee(3, "Eve")
        let calls = observe { eve.name }
        context.rollback()
        context.insert(eve)
        #expect(calls.count == 0)
        eve.name = "Flo"
        #expect(calls.count == 1)
    }

    @Test func `changes are not reported to a registrar unless there may be observers`() throws {
        let store = try ManagedObjectStore(inMemory: ObjectModel(Lamp.self))
        let lamp = Lamp(in: store.mainContext)
        _ = lamp.name
        #expect(lamp.access.contains(.watched))
        lamp.name = "Gus"
        #expect(!lamp.access.contains(.watched))
        let calls = observe { lamp.name }
        lamp.hours = 1
        #expect(lamp.access.contains(.watched))
        lamp.name = "Flo"
        lamp.name = "Gus"
        #expect(calls.count == 1 && !lamp.access.contains(.watched))
    }

    @Test func `a sequence of observations contains the last change`() async {
        guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else { return }
        let ann = ann
        var names = Observations { ann.name }.makeAsyncIterator()
        #expect(await names.next() == "Ann")
        for name in ["Flo", "Gus"] {
            let change = Task { ann.name = name }
            #expect(await names.next() == name)
            await change.value
        }
    }
}

/// A class of one test: observers are looked for by class, and other tests run at the same time.
private final class Lamp: ManagedObject {
    @Stored var name = ""
    @Stored var hours = 0
}
