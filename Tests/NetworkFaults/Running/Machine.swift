import Foundation

/// What the machine and the build allow, and what the process takes of it.
enum Machine {
    /// Times that limits of time are stretched, by FAULTS_SLACK: a sanitizer slows everything down.
    static let slack = ProcessInfo.processInfo.environment["FAULTS_SLACK"].flatMap(Double.init) ?? 1

    /// Whether memory tells anything: under a sanitizer it does not.
    static let isMemoryTrue = ProcessInfo.processInfo.environment["SANITIZER"] == nil

    /// Resident megabytes of this process; nil where the system does not say.
    static var residentMegabytes: Double? { kilobytes(of: "Rss", in: "smaps_rollup").map { $0 / 1024 } }

    /// The most megabytes that were resident since the peak was forgotten.
    static var peakMegabytes: Double? { kilobytes(of: "VmHWM", in: "status").map { $0 / 1024 } }

    /// Gives back what the allocator keeps, so that only what is in use is resident: glibc's `malloc_trim`, where it is.
    static func trim() {
        guard let function = dlsym(nil, "malloc_trim") else { return }
        typealias Trim = @convention(c) (Int) -> Int32
        _ = unsafeBitCast(function, to: Trim.self)(0)
    }

    static func forgetPeak() { try? Data("5".utf8).write(to: URL(fileURLWithPath: "/proc/self/clear_refs")) }

    /// Threads that the library made, by their names; those of Swift's pool and of Dispatch come and go as they like.
    static var threads: Int? {
        let tasks = try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")
        return tasks?.count { task in
            let name = try? String(contentsOfFile: "/proc/self/task/\(task)/comm", encoding: .utf8)
            return name == "curl-transport\n" || name == "name-lookup\n"
        }
    }

    /// Open descriptors; nil where the system does not say.
    static var descriptors: Int? { try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count }

    private static func kilobytes(of name: String, in file: String) -> Double? {
        let lines = (try? String(contentsOfFile: "/proc/self/\(file)", encoding: .utf8))?.split(separator: "\n")
        return lines?.first { $0.hasPrefix(name + ":") }?.split(whereSeparator: { " \t".contains($0) }).dropFirst()
            .first
            .flatMap { Double($0) }
    }
}
