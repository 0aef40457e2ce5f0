import ObjectMapping

/// The peak memory of the process.
enum ResidentMemory {
    /// Whether the system reports it, and no sanitizer needs additional memory.
    static var isKnown: Bool { bytes != nil && ProcessInfo.processInfo.environment["SANITIZER"] == nil }

    /// In bytes; 0 if the system does not report it.
    static var peak: Int { bytes ?? 0 }

    private static var bytes: Int? {
        guard let data = FileManager.default.contents(atPath: "/proc/self/status") else { return nil }
        let lines = String(decoding: data, as: UTF8.self).split(separator: "\n")
        guard let line = lines.first(where: { $0.hasPrefix("VmHWM:") }) else { return nil }
        return line.split(whereSeparator: { " \t".contains($0) }).dropFirst().first.flatMap { Int($0) }.map { $0 << 10 }
    }
}
