import Dispatch
import Foundation
import ObjectMapping
import TestSupport
import Testing

@testable import ObjectStore

@Suite struct KilledUpgradeTests {
    /// Upgrades alternate between two seeds, in each of which all articles have the same name and shelf.
    @Test(arguments: killMoments(4, upTo: 250))
    func `a process that is killed during an upgrade leaves the old or the new seed`(milliseconds: Int) async throws {
        let folder = try SeedUpgradeFolder()
        for name in ["even", "odd"] {
            _ = try folder.seed("\(name).sqlite") { context in
                for number in 1...300 where number % 10 != (name == "odd" ? 0 : 1) {
                    context.article("a\(number)", name, code: "\(name) \(number)").shelf = try context.shelf(name)
                }
            }
        }
        let store = try await folder.open(folder.folder.file("even.sqlite"))
        let context = ObjectContext(store)
        try context.known("a2").price = 5
        context.article("u1", "mine")
        try await context.save()
        store.close()
        await #expect(processExitsWith: .signal(SIGKILL)) {
            [path = folder.folder.path as String, milliseconds = milliseconds as Int] in
            let store = try ManagedObjectStore(
                at: URL(fileURLWithPath: path + "/shop.sqlite"), model: SeedUpgradeFolder.model())
            DispatchQueue(label: "kill").asyncAfter(deadline: .now() + .milliseconds(milliseconds)) {
                kill(getpid(), SIGKILL)
            }
            for number in 1... {
                let name = number % 2 == 0 ? "even" : "odd"
                try await store.upgradeSeed(to: URL(fileURLWithPath: path + "/\(name).sqlite"))
            }
        }
        let left = try ManagedObjectStore(at: folder.url, model: SeedUpgradeFolder.model())
        let found = ObjectContext(left)
        let seeded = try await found.fetch(ShopArticle.where { $0.sku != "u1" })
        let names = Set(seeded.map(\.name))
        #expect(seeded.count == 270 && names.count == 1, "\(names)")
        #expect(Set(seeded.map { $0.shelf?.name }) == Set(names.map { $0 }))
        #expect(try await found.fetch(ShopArticle.where { $0.search("even OR odd") }).count == 270)
        #expect(try found.known("a2").price == 5)
        #expect(try found.known("u1").name == "mine")
        #expect(try SeedDatabase(at: folder.url).damages().isEmpty)
    }
}
