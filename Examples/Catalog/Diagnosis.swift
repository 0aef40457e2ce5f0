import ExampleSupport
import ObjectMapping

let diagnosis = Example(
    "diagnosis", group: "Mapping",
    "All issues of a payload together, the effect of each rule, and rejected elements that are kept"
) { story in
    let json = """
        { "parcels": [
            { "id": 1, "weight": 2.5, "sent_at": "2026-11-20", "to": { "city": "Bonn", "zip": "53111" } },
            { "id": "two", "weight": "heavy", "sent_at": "yesterday", "to": { "city": "Kiel", "zip": 24103 } },
            { "id": 3, "wieght": 1, "to": { "town": "Trier" } }
        ] }
        """
    story.say("Three parcels, two of them with mistakes:")
    story.show(json)
    story.showCode("declaration")

    story.say("By default a payload with issues throws. The error has every issue with its position and a hint:")
    do throws(MappingError) {
        _ = try Parcel.mapping.mapAll(json, at: "parcels")
    } catch {
        for issue in error.issues { story.show("\(issue)") }
    }
    story.say(
        "These lines contain no value of the payload, so they can be logged. `details` has the values.")

    story.say("A report can collect the rejected elements with their JSON. The other elements are mapped:")
    var report = MappingReport(policy: .skipElement)
    let parcels = try Parcel.mapping.mapAll(json, at: "parcels", report: &report)
    story.show("\(parcels.count) parcel; rejected:")
    for element in report.rejected {
        story.show("\(element.path), \(element.issues.count) issues, \(element.json.count) bytes")
    }

    story.say("`explain` shows the result of each rule, and the keys that no rule reads:")
    story.show("\(Parcel.mapping.explain(json, at: "parcels"))")

    story.say("`validate` finds mistakes in a mapping without any data:")
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
