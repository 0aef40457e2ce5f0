import ObjectMapping
import Testing

@testable import ObjectStore

@Suite(.serialized) struct AppendTimeTests {
    private final class Plain {
        var array: [Plain] = []
    }

    /// The shortest time of several rounds, because other processes use the processor.
    private func leastTime(_ round: () throws -> Duration) rethrows -> Duration {
        var least = Duration.seconds(3600)
        for _ in 0..<7 { least = min(least, try round()) }
        return least
    }

    /// Far above the factor of a debug build (30 to 60), far below that of a copy of the list for each append (2000).
    private let limit = 200.0

    @Test(arguments: [false, true])
    func `10,000 appends to a relationship and its inverses take a small multiple of the time of an array`(
        isSaved: Bool
    ) throws {
        let (clock, count) = (ContinuousClock(), 10_000)
        let plain = leastTime {
            let owner = Plain()
            let objects = (0..<count).map { _ in Plain() }
            let time = clock.measure { for object in objects { owner.array.append(object) } }
            #expect(owner.array.count == count)
            return time
        }
        let managed = try leastTime {
            let context = ObjectContext(try Company.store())
            let department = Department(in: context)
            (department.code, department.title) = ("S", "Sales")
            let employees = (0..<count).map { context.employee($0, "e") }
            if isSaved { try context.save() }
            let time = clock.measure {
                for employee in employees { department.staff.append(employee) }
                #expect(employees[0].department === department)
            }
            #expect(department.staff.count == count && employees[count - 1].department === department)
            return time
        }
        #expect(managed / plain < limit)
    }
}
