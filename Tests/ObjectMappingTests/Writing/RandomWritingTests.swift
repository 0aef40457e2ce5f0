import Foundation
import ObjectMapping
import TestSupport
import Testing

/// Models of random mappings and documents, written by the same mappings.
struct RandomWritingTests {
    private static let models = [TypedTable.wide.reference, TypedTable.knot.reference]
    private static let fitting = [0: targets(models[0]), 1: targets(models[1])]

    private static func targets(_ model: ReferenceModel) -> [Int] {
        model.properties.map { ["knot", "knots", "maybeKnots"].contains($0.name) ? 1 : 0 }
    }

    @Test(arguments: 0..<4) func `Random models are written, and patches transform one into another`(part: Int) {
        let count = ReferenceTests.number("MAPPINGKIT_CASES", 400) / 4
        let first = ReferenceTests.number("MAPPINGKIT_SEED", 1) + part * count
        var (written, returned, changed, applied) = (0, 0, 0, 0)
        for seed in first..<first + count {
            var random = RandomCase(seed: UInt64(seed))
            let example = random.next(Self.models, fitting: Self.fitting)
            let targets = TypedTargets(example)
            defer { targets.clear() }
            let documents = [Data(example.document)] + (0..<3).map { _ in Data(random.document(example.mappings).utf8) }
            func check<Model>(_ mapping: Mapping<Model>) {
                let models = documents.compactMap { try? mapping.map($0) }
                written += models.count
                for model in models {
                    guard let bytes = Self.checked(mapping, model, "seed \(seed):\n\(example)") else { continue }
                    guard example.mappings.allSatisfy(\.isReversible) else { continue }
                    returned += 1
                    let again = Result { try mapping.serialize(mapping.map(bytes), options: Self.options) }
                    #expect((try? again.get()) == bytes, "seed \(seed):\n\(example)")
                }
                let isReversible = example.mappings.allSatisfy(\.isReversible)
                for (old, new) in zip(models, models.dropFirst()) {
                    guard let patch = Self.checkedPatch(mapping, old, new, "seed \(seed):\n\(example)") else {
                        continue
                    }
                    changed += 1
                    if isReversible {
                        applied += Self.checkApplied(mapping, patch, old, new, "seed \(seed):\n\(example)")
                    }
                }
            }
            if let mapping = targets.wide[0] { check(mapping) }
            if let mapping = targets.knot[0] { check(mapping) }
        }
        #expect(count < 100 || written > count / 4 && returned > 10 && changed > 10 && applied > 5)
    }

    private static let options = WritingOptions(whenNil: .null)

    /// The text of a model, which two parsers accept.
    private static func checked<Model>(_ mapping: Mapping<Model>, _ model: Model, _ seed: String) -> Data? {
        do throws(MappingError) {
            let bytes = try mapping.serialize(model, options: options)
            let json = try JSON(bytes)
            #expect(json.duplicateKeys.isEmpty, "\(seed)")
            #expect((try? JSONSerialization.jsonObject(with: bytes, options: .fragmentsAllowed)) != nil, "\(seed)")
            let pretty = try mapping.serialize(model, options: WritingOptions(whenNil: .null, isPrettyPrinted: true))
            #expect(json.prettyPrinted == String(decoding: pretty, as: UTF8.self), "\(seed)")
            #expect(json.data == bytes, "\(seed)")
            return bytes
        } catch {
            // Two rules whose values have no members in common, one of them the value itself.
            #expect(error.issues.allSatisfy { $0.kind == .typeMismatch }, "\(error) \(seed)")
            return nil
        }
    }

    /// The patch from one model to another, verified by an independent merge.
    private static func checkedPatch<Model>(
        _ mapping: Mapping<Model>, _ old: Model, _ new: Model, _ seed: String
    ) -> JSON? {
        guard let before = try? mapping.json(of: old), let after = try? mapping.json(of: new) else { return nil }
        do throws(MappingError) {
            let patch = try mapping.changes(of: new, from: old)
            let result = patch.map { mergePatch(before, $0) } ?? before
            #expect(
                withoutEmptyObjects(result.withoutNulls) == withoutEmptyObjects(after.withoutNulls),
                "\(before) \(patch ?? .null) \(after) \(seed)")
            #expect((patch == nil) == (before.withoutNulls == after.withoutNulls), "\(seed)")
            return patch
        } catch {
            Issue.record("\(error) \(seed)")
            return nil
        }
    }

    /// 1 if a patch made the models equal.
    private static func checkApplied<Model>(
        _ mapping: Mapping<Model>, _ patch: JSON, _ old: Model, _ new: Model, _ seed: String
    ) -> Int {
        do throws(MappingError) {
            // A patch omits nil of new objects, which must be read as equal without it.
            let free = MappingOptions(requiresMappedKey: false)
            guard let again = try? mapping.json(of: mapping.map(mapping.json(of: new), options: free)),
                try again.withoutNulls == mapping.json(of: new).withoutNulls
            else { return 0 }
            // An object of a class is needed unchanged.
            var model = try mapping.map(mapping.json(of: old, options: options), options: free)
            try mapping.apply(patch, to: &model)
            let (result, expected) = (try mapping.json(of: model), try mapping.json(of: new))
            #expect(result.withoutNulls == expected.withoutNulls, "\(patch) \(seed)")
            return 1
        } catch {
            Issue.record("\(error) \(seed)")
            return 0
        }
    }
}

extension ReferenceMapping {
    /// Whether the written JSON is read as an equal model: no rule reads values of another one, or more than one value.
    fileprivate var isReversible: Bool {
        let keys = rules.map { $0.source.plainKeys ?? [] }
        return Set(keys.compactMap(\.first)).count == rules.count
    }
}

extension JSON {
    /// The value without the nulls that are members of objects.
    fileprivate var withoutNulls: JSON {
        guard let object else { return self }
        return .object(
            JSONObject(object.filter { !$0.value.isNull }.map { (key: $0.key, value: $0.value.withoutNulls) }))
    }
}
