import ExampleSupport
import ObjectMapping

let diagnosis = Example(
    "diagnosis", group: "Mapping",
    "Every issue of a payload at once, what each rule did, and bad elements put aside instead of lost"
) { story in
    let json = """
        { "parcels": [
            { "id": 1, "weight": 2.5, "sent_at": "2026-11-20", "to": { "city": "Bonn", "zip": "53111" } },
            { "id": "two", "weight": "heavy", "sent_at": "yesterday", "to": { "city": "Kiel", "zip": 24103 } },
            { "id": 3, "wieght": 1, "to": { "town": "Trier" } }
        ] }
        """
    story.say("Three parcels, two of them odd:")
    story.show(json)
    story.showCode("declaration")

    story.say("By default nothing is mapped, and the error holds every issue, with its place and what to look at:")
    do throws(MappingError) {
        _ = try Parcel.mapping.mapAll(json, at: "parcels")
    } catch {
        for issue in error.issues { story.show("\(issue)") }
    }
    story.say(
        "No value of the payload stands in these lines, so they may be logged; `debugDescription` has the values.")

    story.say("A report may put bad elements aside, as they stood, and keep the rest:")
    var report = MappingReport(policy: .skipElement)
    let parcels = try Parcel.mapping.mapAll(json, at: "parcels", report: &report)
    story.show("\(parcels.count) parcel; put aside:")
    for element in report.rejected {
        story.show("\(element.path), \(element.issues.count) issues, \(element.json.count) bytes")
    }

    story.say("`explain` tells what the mapping did, rule by rule, and the keys that nobody reads:")
    story.show("\(Parcel.mapping.explain(json, at: "parcels"))")

    story.say("`validate` finds mistakes in a mapping before there is any data:")
    do throws(MappingError) {
        try Mapping(Parcel.init) {
            Attribute("weights.@summ", \.weight)
            Attribute("sent_at", \.sentAt)
            Attribute("sent", \.sentAt)
        }.validate()
    } catch {
        for issue in error.issues { story.show("\(issue)") }
    }
}

// snippet.declaration
struct Parcel: Mappable {
    var id = 0
    var weight = 0.0
    var sentAt: Date?
    var city = ""
    var zip = ""

    static let mapping = Mapping(Parcel.init) {
        Attribute("id", \.id).required
        Attribute("weight", \.weight).required
        Attribute("sent_at", \.sentAt)
        Attribute("to.city", \.city).required
        Attribute("to.zip", \.zip)
    }
}
// snippet.end
