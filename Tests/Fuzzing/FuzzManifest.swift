import ObjectMapping
import Seeder

/// A manifest is refused with issues, or can be built.
func fuzzManifest(_ text: LentText) {
    do {
        let manifest = try Manifest(Array(text.bytes), file: "seed.json", formats: PayloadFormats())
        do { _ = try RowPlan(entities: manifest.entities) } catch { fatalError("accepted, but \(error)") }
    } catch {
        expect(!error.description.isEmpty, "an error that says nothing")
    }
}
