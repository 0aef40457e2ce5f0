import Foundation
import ObjectMapping
import Testing

@testable import ObjectStore

private let precise = Date(timeIntervalSince1970: 1_700_000_000.987_6)

private final class Moment: ManagedObject, Mappable {
    @Stored(.identity) var at = Date(timeIntervalSince1970: 0)
    @Stored var initial = precise
    @Stored var optional: Date? = precise
    @Stored var list: [Date] = [precise]
    @Stored var optionalList: [Date]? = [precise]
    @Stored var optionals: [Date?] = [precise, nil]

    static let mapping = Mapping(Moment.self) {
        Attribute("at", \.at)
        Attribute("optional", \.optional)
        Attribute("list", \.list)
    }
    static let epoch = Mapping(Moment.self) { Attribute("at", \.at).using(.date(.millisecondsSince1970)) }
}

@Suite struct `Dates are truncated to milliseconds` {
    let context: ObjectContext

    init() throws { context = ObjectContext(try ManagedObjectStore(inMemory: ObjectModel(Moment.self))) }

    private func map(_ text: String, _ mapping: Mapping<Moment>) throws -> [Moment] {
        defer { _ = try? context.save() }
        return try context.map(text, with: mapping)
    }

    private static func date(_ milliseconds: Int) -> Date { Date(timeIntervalSince1970: Double(milliseconds) / 1000) }

    /// Milliseconds since 1970 in the years 0, 1, 1600, 1901, 1969, 1970, 2026, 2100, 2106 and 9999.
    static let samples = [
        -62_167_219_200_000, -62_135_596_799_999, -11_670_999_999_877, -2_147_483_648_123, -978_307_200_001, -1, 0, 1,
        999, 978_307_200_123, 1_700_000_000_987, 4_102_444_800_001, 4_294_967_296_999, 4_294_967_297_001,
        253_402_300_799_999,
    ]

    @Test(arguments: samples)
    func `whole milliseconds of any year are unchanged, equal to the stored ones, and found`(_ number: Int) throws {
        let date = Self.date(number)
        let moment = Moment(in: context)
        moment.at = date
        #expect(moment.at == date && date.cutToMilliseconds == date)
        #expect(date.storedValue == Date(storedValue: date.storedValue)?.storedValue)
        #expect(Date(storedValue: date.storedValue) == date)
        try context.save()
        let other = ObjectContext(context.store)
        #expect(try other.find(Moment.self, date)?.at == date)
        #expect(try other.fetch(Moment.where { $0.at == date }).count == 1)
    }

    @Test(arguments: samples, [0.1, 0.5, 0.9])
    func `fractions of milliseconds are cut, in memory and in the file`(_ number: Int, _ part: Double) throws {
        // Doubles in the years after 5000 do not distinguish such fractions.
        guard abs(number) < 200_000_000_000_000 else { return }
        let date = Date(timeIntervalSince1970: (Double(number) + part) / 1000)
        #expect(date.cutToMilliseconds == Self.date(number))
        #expect(date.storedValue == Self.date(number).storedValue)
        #expect(date.cutToMilliseconds.cutToMilliseconds == date.cutToMilliseconds)
    }

    @Test func `assignments, changes in place and initial values are cut`() throws {
        let cut = Self.date(1_700_000_000_987)
        let moment = Moment(in: context)
        #expect(moment.initial == cut && moment.optional == cut && moment.list == [cut])
        #expect(moment.optionalList == [cut] && moment.optionals == [cut, nil])
        moment.at = precise
        moment.list.append(precise)
        moment.optionalList?.append(precise)
        moment.optionals = [precise]
        moment.optional?.addTimeInterval(0.000_4)
        #expect(moment.at == cut && moment.list == [cut, cut] && moment.optionalList == [cut, cut])
        #expect(moment.optionals == [cut] && moment.optional == cut)
        try context.save()
        let read = try #require(try ObjectContext(context.store).fetch(Moment.all).first)
        #expect(read.at == cut && read.list == [cut, cut] && read.optionals == [cut] && read.optional == cut)
    }

    @Test func `an object is found by the date that was assigned to it`() throws {
        let moment = try context.findOrCreate(Moment.self, precise)
        moment.optional = precise
        for isSaved in [false, true] {
            #expect(try context.find(Moment.self, precise) === moment)
            #expect(try context.findOrCreate(Moment.self, precise) === moment)
            #expect(try context.fetch(Moment.where { $0.at == precise && $0.optional == precise }) == [moment])
            #expect(try context.fetch(Moment.where { $0.at < precise || $0.at > precise }).isEmpty)
            #expect(try context.fetch(Moment.where { $0.at.isIn([precise]) }) == [moment])
            if !isSaved { try context.save() }
        }
    }

    @Test func `a payload with more digits finds the same object, and is imported as the same row`() async throws {
        let texts = ["2023-11-14T22:13:20.9876Z", "2023-11-14T22:13:20.9879Z", "2023-11-14T22:13:20.987Z"]
        let json = "[\(texts.map { #"{"at":"\#($0)","optional":"\#($0)","list":["\#($0)"]}"# }.joined(separator: ",")),"
        let text = "\(json){\"at\":1700000000.9876}]"
        let moments = try map(text, Moment.mapping)
        #expect(moments.allSatisfy { $0 === moments[0] } && moments[0].at == Self.date(1_700_000_000_987))
        let report = try await context.store.importJSON(Data(text.utf8), with: Moment.mapping)
        #expect(report.inserted == 0 && report.updated == 0 && report.unchanged == 4)
        let number = #"[{"at":1700000000987.6}]"#
        #expect(try await context.store.importJSON(Data(number.utf8), with: Moment.epoch).unchanged == 1)
        #expect(try map(number, Moment.epoch)[0] === moments[0])
    }
}
