public import ObjectMapping

extension MappingTest where Model: Equatable {
    /// Expects the model to be unchanged after it was serialized and mapped again.
    ///
    /// A property that no rule serializes makes a difference, unless it has its initial value.
    public func expectRoundTrip() -> MappingTest {
        adding { test, model in
            guard let model else { return ["round trip: no model was created"] }
            do throws(MappingError) {
                let again = try test.mapping.map(test.mapping.serialize(model), options: test.options)
                return again == model ? [] : differences(from: model, to: again).map { "round trip: \($0)" }
            } catch {
                return error.issues.map { "round trip: \($0.details)" }
            }
        }
    }
}

/// Returns the properties that differ, one text each; both models if their properties look alike.
private func differences<Model>(from model: Model, to other: Model) -> [String] {
    let pairs = zip(Mirror(reflecting: model).children, Mirror(reflecting: other).children)
    let texts = pairs.compactMap { old, new -> String? in
        let (expected, found) = (spelled(old.value), spelled(new.value))
        return expected == found ? nil : "\(old.label ?? "a value"): expected \(expected), found \(found)"
    }
    return texts.isEmpty ? ["expected \(spelled(model)), found \(spelled(other))"] : texts
}

extension MappingTest {
    /// Expects the mapping to serialize the model to a JSON value.
    ///
    /// - Parameter json: `Data`, `[UInt8]`, `String` or `JSON`. The order of members is ignored.
    public func expectJSON(_ json: some JSONInput) -> MappingTest {
        adding { test, model in
            guard let model else { return ["JSON: no model was created"] }
            do throws(MappingError) {
                let (expected, found) = (try JSON(json), try JSON(test.mapping.serialize(model)))
                return expected == found ? [] : ["JSON: expected \(expected), found \(found)"]
            } catch {
                return error.issues.map { "JSON: \($0.details)" }
            }
        }
    }
}
