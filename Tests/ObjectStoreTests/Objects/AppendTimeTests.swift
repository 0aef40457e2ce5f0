import Foundation
import ObjectMapping
import TestSupport
import Testing

@testable import ObjectStore

@Suite(.serialized) struct AppendTimeTests {
    private final class Plain {
        var array: [Plain] = []
    }

    /// The shortest time of several rounds.
    private func leastTime(_ round: () throws -> Double) rethrows -> Double {
        var least = Double.infinity
        for _ in 0..<7 { least = min(least, try round()) }
        return least
    }

    /// Returns the time that the thread runs, without that of other processes on the same processor.
    private func measure(_ body: () -> Void) -> Double {
        func now() -> Double {
            #if os(Linux)
                var time = timespec()
                clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
                return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
            #else
                return ProcessInfo.processInfo.systemUptime
            #endif
        }
        let start = now()
        body()
        return now() - start
    }

    /// Far above the factor of a debug build (30 to 60; 500 under the thread sanitizer), far below that of a copy of the
    /// list for each append (2000).
    private let limit = isThreadSanitized ? 1200.0 : 200.0

    @Test(arguments: [false, true])
    func `10,000 appends to a relationship and its inverses take a small multiple of the time of an array`(
        isSaved: Bool
    ) throws {
        let count = 10_000
        let plain = leastTime {
            let owner = Plain()
            let objects = (0..<count).map { _ in Plain() }
            let time = measure { for object in objects { owner.array.append(object) } }
            #expect(owner.array.count == count)
            return time
        }
        let managed = try leastTime {
            let context = ObjectContext(try Company.store())
            let department = Department(in: context)
            (department.code, department.title) = ("S", "Sales")
            let employees = (0..<count).map { context.employee($0, "e") }
            if isSaved { try context.save() }
            let time = measure {
                for employee in employees { department.staff.append(employee) }
                #expect(employees[0].department === department)
            }
            #expect(department.staff.count == count && employees[count - 1].department === department)
            return time
        }
        #expect(managed / plain < limit)
    }
}
