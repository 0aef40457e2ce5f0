import Seeder

/// The content of the progress bar, on one line of a terminal.
struct ProgressLine {
    let progress: SeedProgress
    /// The seconds since the start, and since the start of the phase.
    let elapsed: Double
    let phaseElapsed: Double
    /// The number of columns; the last one is not used.
    let width: Int
    let isColored: Bool

    /// A part of the line; parts with the lowest rank are omitted first.
    private struct Part {
        let rank: Int
        let text: String
    }

    /// The line, which fits into the width without its color codes.
    var text: String {
        // A constant width avoids jumps.
        let bar = (rank: 4, least: 12, most: min(40, max(12, width / 4)))
        let room = max(0, width - 1)
        var parts = [
            Part(rank: 6, text: title), Part(rank: bar.rank, text: progress.fraction == nil ? "" : "bar"),
            Part(rank: 7, text: share), Part(rank: 1, text: amount), Part(rank: 3, text: rate),
            Part(rank: 2, text: "\(duration(elapsed)) elapsed"), Part(rank: 5, text: remaining),
        ].filter { !$0.text.isEmpty }
        func columns(_ part: Part) -> Int { part.rank == bar.rank ? bar.least : part.text.columns }
        func total() -> Int { parts.reduce(2 * (parts.count - 1)) { $0 + columns($1) } }
        while parts.count > 1, total() > room, let least = parts.min(by: { $0.rank < $1.rank }) {
            parts.removeAll { $0.rank == least.rank }
        }
        let extra = min(bar.most - bar.least, room - total())
        return parts.map { part in
            part.rank == bar.rank ? drawing(columns: bar.least + extra) : part.text.cut(to: room, keepingEnd: false)
        }.joined(separator: "  ")
    }

    private var title: String {
        let file = progress.file.withoutControls.cut(to: max(12, width / 4), keepingEnd: true)
        return switch progress.phase {
        case .copying: "copying \(file)"
        case .reading: file
        case .connecting: "connecting relationships"
        case .indexing: "building indexes"
        case .checksum: "writing checksum"
        }
    }

    /// The percentage, or the bytes so far if the total is unknown.
    private var share: String {
        if let fraction = progress.fraction { return String(Int(fraction * 100)).paddingLeft(to: 3) + " %" }
        return progress.bytesRead > 0 ? sized(progress.bytesRead) : ""
    }

    private var amount: String {
        // Shown together with the rate, to avoid jumps.
        guard speed != nil, progress.fraction != nil, let total = progress.totalBytes else { return "" }
        return "\(sized(progress.bytesRead)) of \(sized(total))"
    }

    /// The bytes per second; `nil` until the estimate is reliable.
    private var speed: Double? {
        guard phaseElapsed >= 0.5, progress.bytesRead > 0 else { return nil }
        return Double(progress.bytesRead) / phaseElapsed
    }

    private var rate: String { speed.map { sized(Int($0)) + "/s" } ?? "" }

    private var remaining: String {
        guard let speed, progress.fraction != nil, let total = progress.totalBytes else { return "" }
        return duration((Double(max(0, total - progress.bytesRead)) / speed).rounded(.up)) + " left"
    }

    private func drawing(columns: Int) -> String {
        let room = columns - 2
        let filled = Int((progress.fraction ?? 0) * Double(room))
        let full = String(repeating: "=", count: max(0, filled - 1)) + (filled > 0 ? filled < room ? ">" : "=" : "")
        let colored = isColored && !full.isEmpty ? "\u{1B}[32m\(full)\u{1B}[0m" : full
        return "[\(colored)\(String(repeating: " ", count: room - filled))]"
    }

    /// Returns minutes and seconds, `0:07`, with hours if necessary, `1:00:05`.
    private func duration(_ seconds: Double) -> String {
        let all = Int(max(0, min(seconds, 1e9)))
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let (hours, minutes) = (all / 3600, all / 60 % 60)
        return (hours > 0 ? "\(hours):\(two(minutes))" : "\(minutes)") + ":" + two(all % 60)
    }
}
