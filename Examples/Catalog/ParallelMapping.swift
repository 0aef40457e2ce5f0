import ExampleSupport
import Foundation
import ObjectMapping

let parallelMapping = Example(
    "parallel-mapping", group: "Mapping",
    "A large array is read on all cores, with the same result as on one core"
) { story in
    let payload = measurements(40_000)
    story.say("\(payload.count / 1_000_000) MB of measurements, every ten-thousandth of them invalid:")
    story.show(String(decoding: payload.prefix(66), as: UTF8.self) + "\n…")
    story.say("One argument reads them on all cores. Here, invalid elements are skipped:")
    story.showCode("call")

    let (measurements, report) = try allMeasurements(payload)
    story.say("The order of the models and the positions of the issues are the same as on one core:")
    story.show("\(measurements.count) measurements, from \(measurements[0].id) to \(measurements.last?.id ?? 0)")
    for issue in report.issues { story.show("\(issue)") }

    var alone = MappingReport(policy: .skipElement)
    let same = try WeatherRecord.mapping.mapAll(payload, at: "measurements", report: &alone)
    story.say("Read on one core:")
    story.show(
        same == measurements && alone.issues == report.issues && alone.rejected == report.rejected
            ? "the same, every one of them" : "something else")
}

// snippet.call
func allMeasurements(_ payload: Data) throws -> ([WeatherRecord], MappingReport) {
    var report = MappingReport(policy: .skipElement)
    let all = try WeatherRecord.mapping.mapAll(payload, at: "measurements", parallel: true, report: &report)
    return (all, report)
}

struct WeatherRecord: Mappable, Equatable {
    var id = 0
    var celsius = 0.0
    static let mapping = Mapping(WeatherRecord.init) {
        Attribute("id", \.id)
        Attribute("celsius", \.celsius)
    }
}
// snippet.end

private func measurements(_ count: Int) -> Data {
    let elements = (1...count).map { id in
        #"{"id":\#(id),"celsius":\#(id % 10_000 == 0 ? "\"warm\"" : "\(Double(id % 300) / 10 - 5)")}"#
    }
    return Data(#"{"measurements":[\#(elements.joined(separator: ",\n"))]}"#.utf8)
}
