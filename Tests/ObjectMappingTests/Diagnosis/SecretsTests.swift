import ObjectMapping
import Synchronization
import TestSupport
import Testing

/// Logged texts contain no value of a payload.
struct SecretsTests {
    private static let secret = "S3CR3T"

    private struct Everything: Mappable {
        var sample = Sample()
        var numbers: [Int] = []
        var link: URL?
        var code: UUID?
        var price: Decimal?
        var status: Note.Status?
        var must = ""

        static let mapping = Mapping(Everything.init) {
            Attribute("id", \.sample.id)
            Attribute("name", \.sample.number)
            Attribute("tags", \.numbers)
            Attribute("a", \.link)
            Attribute("b", \.code)
            Attribute("x", \.price)
            Attribute("with space", \.status)
            Attribute("dot\\.key", \.sample.date)
            Attribute("items.@sum.id", \.sample.count)
            Attribute("owner.id", \.must).required
            Relationship("items", \.sample.items)
            Relationship("owner", \.sample.owner)
        }
    }

    /// A document in which every string contains the secret; some are broken.
    private static func document(_ seed: Int) -> String {
        var json = RandomJSON(seed: seed)
        json.repeatsKeys = true
        let elements = (0..<4).map { _ in
            json.object().replacing("aGVsbG8=", with: secret).replacing(":\"", with: ":\"\(secret)")
        }
        let text = "[\(elements.joined(separator: ","))]"
        return seed % 5 == 0 ? String(text.dropLast(Int.random(in: 1..<40, using: &json.random))) : text
    }

    @Test func `Descriptions contain no values, details do`() {
        let lines = Mutex<[(plain: String, debug: String)]>([])
        let options = MappingOptions(log: { event in
            lines.withLock { $0.append((String(reflecting: event), event.details)) }
        })
        for seed in 0..<80 {
            let text = Self.document(seed)
            for policy in [MappingReport.Policy.fail, .skipElement, .collect] {
                var report = MappingReport(policy: policy)
                do {
                    _ = try Everything.mapping.mapAll(text, options: options, report: &report)
                } catch {
                    lines.withLock { $0.append((error.description, error.details)) }
                }
                lines.withLock { $0.append((report.description, report.details)) }
            }
            let explanation = Everything.mapping.explain(text)
            lines.withLock { $0.append((explanation.description, explanation.details)) }
        }
        let told = lines.withLock { $0 }
        #expect(told.filter { $0.plain.contains(Self.secret) }.map(\.plain) == [])
        #expect(told.filter { $0.debug.contains(Self.secret) }.count > 200)
    }
}
