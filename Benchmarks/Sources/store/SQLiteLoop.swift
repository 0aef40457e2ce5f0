import Foundation
import SQLiteLoop

/// The C loops over a file.
final class SQLiteLoop {
    private let handle: OpaquePointer

    init(_ url: URL, creates: Bool) throws {
        var opened: OpaquePointer?
        try Self.check(item_loop_open(url.path, creates ? 1 : 0, &opened))
        guard let opened else { throw Disagreement(description: "no memory") }
        handle = opened
    }

    deinit { item_loop_close(handle) }

    /// Reads all rows, and returns the sum of their keys.
    func fetch() throws -> Int {
        var sum: Int64 = 0
        try Self.check(item_loop_fetch(handle, &sum))
        return Int(sum)
    }

    /// Reads the rows of the keys from 1, and returns the sum of the keys.
    func find(_ count: Int) throws -> Int {
        var sum: Int64 = 0
        try Self.check(item_loop_find(handle, 1, Int64(count), &sum))
        return Int(sum)
    }

    func insert(_ first: Int, _ count: Int, each: Int) throws {
        try Self.check(item_loop_insert(handle, Int64(first), Int64(count), Int64(each)))
    }

    private static func check(_ code: Int32) throws {
        guard code == 0 else { throw Disagreement(description: "SQLite's result code \(code)") }
    }
}
