import Foundation
import TestSupport
import Testing

/// The compiler's errors for managed objects that leave their isolation, and for mistakes in queries.
@Suite struct ManagedObjectMisuse {
    /// A line of code with one mistake.
    struct Misuse: CustomTestStringConvertible {
        let testDescription: String
        let code: String
        let errors: [String]

        init(_ name: String, _ code: String, _ errors: String...) {
            (testDescription, self.code, self.errors) = (name, code, errors)
        }
    }

    static let noValue =
        "'init(_:_:_:_:)' is unavailable: an attribute needs an initial value, or an optional type: @Stored var title = "
        + "\"\"; its type is one that can be stored, an enum with raw values, or Codable"

    static let misuses = [
        Misuse(
            "no mistake",
            #"func f(_ s: ManagedObjectStore) async throws { _ = try await s.perform { try $0.count(Item.all) } }"#),
        Misuse(
            "an object that leaves perform",
            #"func f(_ s: ManagedObjectStore) async throws { _ = try await s.perform { try $0.fetch(Item.all) } }"#,
            "conformance of 'ManagedObject' to 'Sendable' is unavailable: a managed object belongs to its context; "
                + "pass its ObjectID or a Snapshot instead"),
        Misuse(
            "an object that leaves a closure of one expression",
            #"func f(_ s: ManagedObjectStore) async throws { let a = try await s.perform { try $0.find(Item.self, 1) }; _ = a }"#,
            "conformance of 'ManagedObject' to 'Sendable' is unavailable: a managed object belongs to its context; "
                + "pass its ObjectID or a Snapshot instead"),
        Misuse(
            "objects of finders that leave a closure of one expression",
            #"""
            func f(_ s: ManagedObjectStore) async throws {
                try await s.perform { try Item.findFirst(in: $0) { $0.name == "x" } }
                try await s.perform { try Item.findAll(in: $0) { $0.name == "x" } }
            }
            """#,
            "conformance of 'ManagedObject' to 'Sendable' is unavailable: a managed object belongs to its context; "
                + "pass its ObjectID or a Snapshot instead",
            "conformance of 'ManagedObject' to 'Sendable' is unavailable: a managed object belongs to its context; "
                + "pass its ObjectID or a Snapshot instead"),
        Misuse(
            "values of objects of finders that leave a closure of one expression",
            #"""
            func f(_ s: ManagedObjectStore) async throws {
                let names: [String] = try await s.perform { try Item.findAll(in: $0).map(\.name) }
                let id = try await s.perform { try Item.find(7, in: $0)?.managed.id }
                let count = try await s.perform { try Item.findAll(in: $0) { $0.name == "x" }.count }
                let name = try await s.perform { try Item.findFirst(in: $0) { $0.name == "x" }?.name }
                print(names, id as Any, count, name as Any)
            }
            """#),
        Misuse(
            "an object that enters perform",
            #"func f(_ s: ManagedObjectStore, _ i: Item) async throws { try await s.perform { _ in print(i.name) } }"#,
            "capture of 'i' with non-Sendable type 'Item' in a '@Sendable' closure [#SendableClosureCaptures]"),
        Misuse(
            "an object in a task",
            #"func f(_ i: Item) { Task.detached { print(i.name) }; print(i.name) }"#,
            "passing closure as a 'sending' parameter risks causing data races between code in the current task and "
                + "concurrent execution of the closure [#SendingClosureRisksDataRace]"),
        Misuse(
            "an object that leaves an actor",
            #"actor A { let item = Item() }; func f(_ a: A) async { _ = await a.item }"#,
            "non-Sendable type 'Item' of property 'item' cannot exit actor-isolated context"),
        Misuse(
            "an attribute of a struct",
            #"struct S { @Stored var name = "" }; func f() { print(S().name) }"#,
            "'wrappedValue' is unavailable: @Stored requires a class that inherits from ManagedObject; if it does, fix the other errors of the declaration first"
        ),
        Misuse(
            "an attribute that is an object", #"final class A: ManagedObject { @Stored var item: Item? }"#,
            "'init(_:)' is unavailable: an object of the store is a relationship: declare it with @ToOne",
            "'init(wrappedValue:)' is unavailable: an object of the store is a relationship: declare it with @ToOne"),
        Misuse(
            "an attribute without an initial value", #"final class A: ManagedObject { @Stored var isbn: String }"#,
            noValue),
        Misuse(
            "an attribute with an option and without an initial value",
            #"final class A: ManagedObject { @Stored(.identity) var id: Int; @Stored var kind: Kind }"#, noValue,
            noValue),
        Misuse(
            "optional attributes without an initial value",
            #"final class A: ManagedObject { @Stored var a: Int?; @Stored(.indexed) var b: Kind?; @Stored var c: [Int]? }"#
        ),
        Misuse(
            "an attribute that is a list of objects",
            #"final class A: ManagedObject { @Stored var items: [Item] = [] }"#,
            "'init(wrappedValue:)' is unavailable: objects of the store are a relationship: declare them with @ToMany"),
        Misuse(
            "a relationship that is not optional", #"final class A: ManagedObject { @ToOne var item: Item }"#,
            "property type 'Item' does not match 'wrappedValue' type 'ManagedObject?'"),
        Misuse(
            "a relationship to a value", #"final class A: ManagedObject { @ToOne var item: String? }"#,
            "generic struct 'ToOne' requires that 'String' inherit from 'ManagedObject'"),
        Misuse(
            "a mapping of a class that is not final",
            #"class A: ManagedObject, Mappable { @Stored var n = ""; static let mapping = Mapping(A.self) { Attribute("n", \.n) } }"#,
            "protocol 'Mappable' requirement 'mapping' cannot be satisfied by a non-final class ('A') because it uses "
                + "'Self' in a non-parameter, non-result type position"),
        Misuse(
            "a context in another one's isolation",
            #"func f(_ s: ManagedObjectStore, _ c: ObjectContext) async throws { try await s.perform { _ in try c.save() } }"#,
            "capture of 'c' with non-Sendable type 'ObjectContext' in a '@Sendable' closure [#SendableClosureCaptures]"),
        Misuse(
            "the main context elsewhere", #"func f(_ s: ManagedObjectStore) async { _ = await s.mainContext }"#,
            "non-Sendable type 'ObjectContext' of property 'mainContext' cannot exit main actor-isolated context"),
        Misuse(
            "a misspelt attribute", #"func f() { _ = Item.where { $0.nam == "x" } }"#,
            "value of type 'QueryObject<Item, Item>' has no dynamic member 'nam' using key path from root type 'Item'"),
        Misuse(
            "a value of another type", #"func f() { _ = Item.where { $0.name == 3 } }"#,
            "binary operator '==' cannot be applied to operands of type 'QueryValue<Item, String>' and 'Int'"),
    ]

    @Test(arguments: misuses) func `a misuse is an error with advice`(_ misuse: Misuse) async throws {
        let folder = try TemporaryDirectory()
        let program =
            "import ObjectMapping\nimport ObjectStore\nfinal class Item: ManagedObject { @Stored var name = \"\" }\n"
            + "enum Kind: String { case plain }\n"
        try folder.write(program + misuse.code, to: "misuse.swift")
        // The compiler checks isolation after types.
        let result = try await runShell(
            """
            swiftc -emit-sil -o misuse.sil -parse-as-library -swift-version 6 -diagnostic-style llvm \\
                -I "$PRODUCTS/Modules" -I "$SOURCES/CMappingSHA256/include" -I "$SOURCES/CMappingRuntime/include" -I "$SOURCES/CMappingSQLite" \\
                -I "$SOURCES/CMappingZlib" misuse.swift 2>&1 | sed -n 's/^misuse.swift:[0-9]*:[0-9]*: error: //p'
            """,
            environment: ["PRODUCTS": productsDirectory.path, "SOURCES": resource("Sources").path],
            directory: folder.url)
        #expect(result.output.split(separator: "\n").map(String.init) == misuse.errors)
    }
}
