/// A value that the conversion of its rule writes; null counts as nil, of which the rule decides.
final class ConversionOutput: OutputBox {
    private let conversion: RuleConversion

    init(_ conversion: RuleConversion) { self.conversion = conversion }

    override func write(_ value: Memory, _ writer: inout PlanWriter) -> Outcome {
        do {
            let json = try conversion.write(value)
            if json.isNull { return .null }
            return writer.write(json) ? .written : .absent
        } catch {
            writer.note(error, expected: conversion.expectation)
            return .written
        }
    }

    override func writeMembers(_ value: Memory, _ writer: inout PlanWriter) {
        do { writer.writeMembers(of: try conversion.write(value)) } catch {
            writer.out.comma()
            writer.note(error, expected: conversion.expectation)
        }
    }
}
