/// The file that exchanges are recorded in: JSON that can be read, and that is the same for the same exchanges.
struct Fixture: Codable {
    private static let format = 1

    private var format = Fixture.format
    var exchanges: [RecordedExchange]

    init(exchanges: [RecordedExchange]) { self.exchanges = exchanges }

    init(contentsOf url: URL) throws(FixtureError) {
        do {
            self = try JSONDecoder().decode(Fixture.self, from: try Data(contentsOf: url))
        } catch let error as DecodingError {
            throw FixtureError(file: url, cause: "it holds no recorded exchanges: \(error)")
        } catch {
            let isThere = FileManager.default.fileExists(atPath: url.path)
            throw FixtureError(
                file: url, cause: "it \(isThere ? "cannot be read: \(error)" : "is not there"). \(Fixture.howToRecord)")
        }
        guard format == Fixture.format else {
            throw FixtureError(file: url, cause: "it has the format \(format), where \(Fixture.format) is known")
        }
    }

    /// Writes the file: it holds everything, or what it held before.
    func write(to url: URL) throws(FixtureError) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        do {
            try (try encoder.encode(self) + Data("\n".utf8)).write(to: url, options: .atomic)
        } catch {
            throw FixtureError(file: url, cause: "it cannot be written: \(error)")
        }
    }

    /// What to do about an exchange that is not there.
    static let howToRecord =
        "To record it, run the test once with RecordingTransport(into: …) and save()"
}
