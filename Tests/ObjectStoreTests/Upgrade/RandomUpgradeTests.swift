import Foundation
import ObjectMapping
import TestSupport
import Testing

@testable import ObjectStore

private final class Part: ManagedObject {
    @Stored(.identity) var number = 0
    // Names of columns that the statements of an upgrade use as well.
    @Stored var base: Int? = nil
    @Stored var kind = 0
    @ToOne var seed: Part?
}

/// Random changes of a user and of seeds, compared with a merge of dictionaries.
@Suite struct RandomUpgradeTests {
    private struct Values: Equatable {
        var first: Int?
        var second = 0
        var partner: Int?
    }

    private struct Merge {
        var base: [Int: Values]
        var user: [Int: Values]
        /// The numbers of rows whose base differs from the current values, or did.
        var touched: Set<Int> = []
        /// The rows that the user has deleted and that the last seed does not have.
        var deleted: [Int: Values] = [:]

        func merged<Value: Equatable>(_ base: Value, _ user: Value, _ new: Value) -> Value {
            user == base ? new : user
        }

        mutating func delete(_ number: Int) {
            user[number] = nil
            for (other, values) in user where values.partner == number {
                user[other]?.partner = nil
                if base[other] != nil { touched.insert(other) }
            }
            if base[number] != nil { touched.insert(number) }
        }

        mutating func set(_ number: Int, _ values: Values) {
            if base[number] != nil, user[number] != values { touched.insert(number) }
            user[number] = values
        }

        mutating func upgrade(to new: [Int: Values]) {
            for (number, values) in base where new[number] == nil && user[number] == nil { deleted[number] = values }
            let returned = deleted.filter { new[$0.key] != nil }
            deleted = deleted.filter { new[$0.key] == nil }
            base.merge(returned) { $1 }
            touched.formUnion(returned.keys)
            var gone = Set(base.keys.filter { new[$0] == nil && user[$0] != nil && user[$0] == base[$0] })
            for (number, values) in user {
                guard let partner = values.partner, !gone.contains(number) else { continue }
                let isOfUser =
                    returned[number] != nil
                    || base[number].map { new[number] == nil || $0.partner != partner } ?? true
                guard isOfUser, base[number] == nil || touched.contains(number) else { continue }
                gone.remove(partner)
            }
            var result = user.filter { !gone.contains($0.key) }
            var changed: Set<Int> = []
            for (number, values) in new {
                if let old = base[number] {
                    guard let mine = result[number] else {
                        changed.insert(number)
                        continue
                    }
                    guard touched.contains(number) else {
                        result[number] = values
                        continue
                    }
                    result[number] = Values(
                        first: merged(old.first, mine.first, values.first),
                        second: merged(old.second, mine.second, values.second),
                        partner: merged(old.partner, mine.partner, values.partner))
                } else if let mine = result[number] {
                    result[number] = Values(
                        first: mine.first ?? values.first, second: mine.second == 0 ? values.second : mine.second,
                        partner: mine.partner ?? values.partner)
                } else {
                    result[number] = values
                }
            }
            for (number, values) in result {
                if let partner = values.partner, result[partner] == nil { result[number]?.partner = nil }
            }
            for (number, values) in new where result[number] != nil {
                let isPlain =
                    base[number] != nil && !touched.contains(number) || base[number] == nil && user[number] == nil
                if !isPlain, result[number] != values { changed.insert(number) }
            }
            base = [:]
            for (number, values) in new {
                base[number] = changed.contains(number) ? values : result[number]
            }
            (user, touched) = (result, changed)
        }
    }

    private func write(_ values: [Int: Values], to url: URL, _ random: inout SeededGenerator) throws {
        let store = try ManagedObjectStore(at: url, model: ObjectModel(Part.self))
        let context = ObjectContext(store)
        var parts: [Int: Part] = [:]
        for number in values.keys.sorted().shuffled(using: &random) {
            let part = Part(in: context)
            part.number = number
            parts[number] = part
        }
        for (number, values) in values {
            guard let part = parts[number] else { continue }
            (part.base, part.kind) = (values.first, values.second)
            part.seed = values.partner.flatMap { parts[$0] }
        }
        try context.save()
        try store.checkpoint()
        store.close()
    }

    private func read(_ context: ObjectContext) throws -> [Int: Values] {
        var found: [Int: Values] = [:]
        for part in try context.fetch(Part.all) {
            found[part.number] = Values(first: part.base, second: part.kind, partner: part.seed?.number)
        }
        return found
    }

    private func values(_ numbers: [Int], _ random: inout SeededGenerator) -> Values {
        Values(
            first: Bool.random(using: &random) ? Int.random(in: 1...3, using: &random) : nil,
            second: Int.random(in: 0...2, using: &random),
            partner: Bool.random(using: &random) ? numbers.randomElement(using: &random) : nil)
    }

    private func mutated(_ old: [Int: Values], _ random: inout SeededGenerator) -> [Int: Values] {
        var new = old
        for number in old.keys.sorted() where Int.random(in: 0..<5, using: &random) == 0 { new[number] = nil }
        for _ in 0..<3 { new[Int.random(in: 1...30, using: &random)] = Values() }
        let numbers = new.keys.sorted()
        for number in numbers where Int.random(in: 0..<3, using: &random) == 0 {
            new[number] = values(numbers, &random)
        }
        for number in numbers {
            if let partner = new[number]?.partner, new[partner] == nil { new[number]?.partner = nil }
        }
        return new
    }

    @Test(arguments: 1...40) func `upgrades agree with a merge of dictionaries`(_ number: UInt64) async throws {
        var random = SeededGenerator(seed: number)
        let folder = try TemporaryDirectory()
        var seed = mutated(Dictionary(uniqueKeysWithValues: (1...12).map { ($0, Values()) }), &random)
        try write(seed, to: folder.file("seed0.sqlite"), &random)
        var options = ManagedObjectStore.Options()
        options.keepsSeededValues = true
        let store = try await ManagedObjectStore.open(
            at: folder.file("user.sqlite"), model: ObjectModel(Part.self), seed: folder.file("seed0.sqlite"),
            options: options)
        var merge = Merge(base: seed, user: seed)
        for round in 1...4 {
            let context = ObjectContext(store)
            for number in merge.user.keys.sorted() where Int.random(in: 0..<6, using: &random) == 0 {
                if let part = try await context.find(Part.self, number) { context.delete(part) }
                merge.delete(number)
                try await context.save()
            }
            for _ in 0..<4 {
                let numbers = merge.user.keys.sorted()
                let number =
                    Bool.random(using: &random)
                    ? Int.random(in: 1...30, using: &random) : numbers.randomElement(using: &random) ?? 1
                let new = values(numbers, &random)
                let part: Part
                if let known = try await context.find(Part.self, number) {
                    part = known
                } else {
                    part = Part(in: context)
                    part.number = number
                    // A row that is created again is tested elsewhere.
                    guard merge.base[number] == nil else {
                        context.rollback()
                        continue
                    }
                }
                (part.base, part.kind) = (new.first, new.second)
                part.seed = if let partner = new.partner { try await context.find(Part.self, partner) } else { nil }
                try await context.save()
                merge.set(number, new)
            }
            seed = mutated(seed, &random)
            let url = folder.file("seed\(round).sqlite")
            try write(seed, to: url, &random)
            try #require(try read(context) == merge.user, "before round \(round)")
            let report = try await store.upgradeSeed(to: url)
            merge.upgrade(to: seed)
            let found = try read(context)
            for number in Set(found.keys).union(merge.user.keys).sorted() {
                #expect(found[number] == merge.user[number], "round \(round), row \(number): \(report)")
            }
            guard found == merge.user else { return }
        }
        #expect(try SeedDatabase(at: folder.file("user.sqlite")).damages().isEmpty)
    }
}
