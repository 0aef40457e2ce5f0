public import ObjectMapping

extension MappingTest where Model: Equatable {
    /// Expects the model, written by the mapping and read again, to be what it was.
    ///
    /// A property that no rule writes makes a difference, unless it has the value of a fresh model.
    public func expectRoundTrip() -> MappingTest {
        adding { test, model in
            guard let model else { return ["round trip: no model was made"] }
            do throws(MappingError) {
                let again = try test.mapping.map(test.mapping.serialize(model), options: test.options)
                return again == model ? [] : ["round trip: expected \(spelled(model)), found \(spelled(again))"]
            } catch {
                return error.issues.map { "round trip: \($0.debugDescription)" }
            }
        }
    }
}

extension MappingTest {
    /// Expects the model, written by the mapping, to be a certain JSON value.
    ///
    /// - Parameter json: `Data`, `[UInt8]`, `String` or `JSON`; the order of members does not matter.
    public func expectJSON(_ json: some JSONInput) -> MappingTest {
        adding { test, model in
            guard let model else { return ["JSON: no model was made"] }
            do throws(MappingError) {
                let (expected, found) = (try JSON(json), try JSON(test.mapping.serialize(model)))
                return expected == found ? [] : ["JSON: expected \(expected), found \(found)"]
            } catch {
                return error.issues.map { "JSON: \($0.debugDescription)" }
            }
        }
    }
}
