import Foundation

/// Serves the runner, so that peers take turns although each has a process of its own.
///
/// The text is read before. A line on standard input is answered by one on standard output: `check` by the checksum of the decoded values, a
/// number by the nanoseconds of as many decodes, each with the time to free the models.
struct Worker {
    let candidate: Candidate
    let data: Data

    func serve() throws {
        while let line = readLine() {
            guard let count = Int(line) else {
                say("\(try candidate.checksum(data))")
                continue
            }
            let times = try (0..<count).map { _ in try nanoseconds { sink &+= try candidate.run(data) } }
            say(times.map(String.init).joined(separator: " "))
        }
    }
}
