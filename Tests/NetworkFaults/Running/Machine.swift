import Foundation

/// The limits of the machine and the build, and the resources of the process.
enum Machine {
    /// The factor of time limits, FAULTS_SLACK: a sanitizer slows everything down.
    static let slack = ProcessInfo.processInfo.environment["FAULTS_SLACK"].flatMap(Double.init) ?? 1

    /// Whether memory figures are meaningful, which they are not under a sanitizer.
    static let isMemoryTrue = ProcessInfo.processInfo.environment["SANITIZER"] == nil

    /// Resident megabytes of this process; nil if unknown.
    static var residentMegabytes: Double? { kilobytes(of: "Rss", in: "smaps_rollup").map { $0 / 1024 } }

    /// The peak of resident megabytes since the last reset.
    static var peakMegabytes: Double? { kilobytes(of: "VmHWM", in: "status").map { $0 / 1024 } }

    /// Releases free memory of the allocator, so that only used memory is resident: glibc's `malloc_trim`, if
    /// available.
    static func trim() {
        guard let function = dlsym(nil, "malloc_trim") else { return }
        typealias Trim = @convention(c) (Int) -> Int32
        _ = unsafeBitCast(function, to: Trim.self)(0)
    }

    static func forgetPeak() { try? Data("5".utf8).write(to: URL(fileURLWithPath: "/proc/self/clear_refs")) }

    /// Threads of the library, by their names; those of Swift's pool and Dispatch vary.
    static var threads: Int? {
        let tasks = try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")
        return tasks?.count { task in
            let name = try? String(contentsOfFile: "/proc/self/task/\(task)/comm", encoding: .utf8)
            return name == "curl-transport\n" || name == "name-lookup\n"
        }
    }

    /// Open descriptors; nil if unknown.
    static var descriptors: Int? { try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count }

    private static func kilobytes(of name: String, in file: String) -> Double? {
        let lines = (try? String(contentsOfFile: "/proc/self/\(file)", encoding: .utf8))?.split(separator: "\n")
        return lines?.first { $0.hasPrefix(name + ":") }?.split(whereSeparator: { " \t".contains($0) }).dropFirst()
            .first
            .flatMap { Double($0) }
    }
}
