/// A file of recorded exchanges: readable JSON that is identical for identical exchanges.
struct Fixture: Codable {
    private static let format = 1

    private var format = Fixture.format
    var exchanges: [RecordedExchange]

    init(exchanges: [RecordedExchange]) { self.exchanges = exchanges }

    init(contentsOf url: URL) throws(FixtureError) {
        do {
            self = try JSONDecoder().decode(Fixture.self, from: try Data(contentsOf: url))
        } catch let error as DecodingError {
            throw FixtureError(file: url, cause: "the file does not contain recorded exchanges: \(error)")
        } catch {
            let isThere = FileManager.default.fileExists(atPath: url.path)
            throw FixtureError(
                file: url,
                cause: "\(isThere ? "the file cannot be read: \(error)" : "file not found"). \(Fixture.howToRecord)")
        }
        guard format == Fixture.format else {
            throw FixtureError(file: url, cause: "unsupported format \(format); expected \(Fixture.format)")
        }
    }

    /// Writes the file atomically.
    func write(to url: URL) throws(FixtureError) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        do {
            try (try encoder.encode(self) + Data("\n".utf8)).write(to: url, options: .atomic)
        } catch {
            throw FixtureError(file: url, cause: "the file cannot be written: \(error)")
        }
    }

    /// The advice for a missing exchange.
    static let howToRecord =
        "To record it, run the test once with RecordingTransport(into: …) and save()"
}
