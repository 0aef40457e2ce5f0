import Foundation

/// Serves the runner, so that peers in separate processes can run alternately.
///
/// The text is read first. Each line on standard input is answered with one on standard output: `check` with the checksum
/// of the decoded values, and a number with the nanoseconds of that many decodes, including the release of the models.
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
