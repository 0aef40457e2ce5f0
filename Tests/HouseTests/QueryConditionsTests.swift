import Foundation
import TestSupport
import Testing

/// Spellings of query conditions: the compiler accepts the right ones, and names the operator or type of wrong ones.
///
/// Swift 6.3 overlooks a violated superclass constraint if a closure uses a declaration twice, and generates invalid
/// code. So each wrong condition follows right ones in a closure, and the right ones are compiled to machine code.
@Suite struct QueryConditions {
    static let declarations = """
        import ObjectMapping
        import ObjectStore
        final class Product: ManagedObject {
            enum Size: String { case small, large }
            @Stored(.identity) var sku = ""
            @Stored var title = ""
            @Stored var price = Decimal(0)
            @Stored var width: Int? = nil
            @Stored var weight = 0.0
            @Stored var released = Date.distantPast
            @Stored var isDiscontinued = false
            @Stored var isNew: Bool? = nil
            @Stored var note: String? = nil
            @Stored var size = Size.small
            @Stored var stock: JSON? = nil
            @Stored var tags: [String] = []
            @Stored var marks: [Int]? = nil
            @Stored var days: [Date] = []
            @Stored var codes: Set<Int> = []
            @ToOne var category: Category?
            @ToMany(inverse: \\Review.product) var reviews: [Review]
        }
        final class Category: ManagedObject {
            @Stored var name = ""
            @Stored var words: [String]? = nil
            @ToOne var parent: Category?
            @ToMany(inverse: \\Product.category) var products: [Product]
        }
        final class Review: ManagedObject {
            @Stored var stars = 0
            @Stored var text: String? = nil
            @ToOne var product: Product?
        }
        func run<Result>(_ body: (Product) -> Result) {}

        """

    static let right = [
        #"$0.title == "a""#, #"$0.title != "a" && $0.note == nil"#, #"$0.note != nil || $0.note == "a""#,
        #"$0.price > 3 && $0.price <= Decimal(9)"#, #"$0.width > 3"#, #"$0.width == 3 || $0.width == nil"#,
        #"3 ... 5 ~= $0.width"#, #"$0.weight.isIn(1..<2)"#, #"$0.width.isIn([1, nil])"#, #"$0.sku.isIn(["a", "b"])"#,
        #"$0.isDiscontinued"#, #"!$0.isDiscontinued && $0.isNew == true"#, #"$0.isNew != true"#,
        #"$0.isDiscontinued || $0.title == "a""#, #"$0.title.hasPrefix("a") && $0.note.hasSuffix("b")"#,
        #"$0.title.contains("a") && !$0.note.contains("b")"#, #"$0.title.isEmpty || $0.note.isEmpty"#,
        #"$0.title.like("a%")"#, #"$0.title.folded.matches("a.*")"#, #"$0.title.caseInsensitive == "a""#,
        #"$0.title < $0.sku"#, #"$0.size == .small"#, #"$0.size.isIn([.small, .large])"#,
        #"$0.released < Date()"#, #"$0.tags.contains("eco")"#, #"$0.tags.contains("eco") && $0.reviews.count > 9"#,
        #"$0.tags.isEmpty"#, #"!$0.tags.isEmpty && $0.tags.count < 3"#, #"$0.tags.count.isIn([1, 2])"#,
        #"$0.tags == ["eco"]"#, #"$0.marks.contains(3)"#, #"$0.marks == nil || $0.marks.isEmpty"#,
        #"$0.marks.count == 3"#, #"$0.days.contains(.distantPast)"#, #"$0.codes.contains(3) && $0.codes.count > 1"#,
        #"$0.category == nil"#, #"$0.category != nil"#, #"$0.category.name == "a""#,
        #"$0.category.parent.name.hasPrefix("a")"#, #"$0.category.words.contains("a")"#,
        #"$0.category.products.count > 3"#, #"$0.category.products.isEmpty"#, #"$0.reviews.count > 9"#,
        #"$0.reviews.isEmpty"#, #"$0.reviews.any { $0.stars > 3 }"#,
        #"$0.reviews.all { $0.stars > 3 && $0.text != nil }"#, #"$0.reviews.none { $0.text.contains("a") }"#,
        #"$0.category.products.any { $0.tags.contains("eco") }"#, #"$0.reviews.any { $0.product.tags.isEmpty }"#,
    ]

    /// Wrong conditions, each with a member, an operator or a type that its error names.
    static let wrong = [
        (#"$0.titel == "a""#, "titel"), (#"$0.title == 3"#, "=="), (#"$0.width > "a""#, "String"),
        (#"$0.tags.contains(3)"#, "String"), (#"$0.tags.foo"#, "foo"), (#"$0.tags.hasPrefix("a")"#, "hasPrefix"),
        (#"$0.tags.any { $0 == "eco" }"#, "String"), (#"$0.tags > 3"#, ">"), (#"$0.tags == "eco""#, "=="),
        (#"$0.tags.count == "a""#, "=="), (#"$0.marks.contains("a")"#, "Int"), (#"$0.days.contains("a")"#, "Date"),
        (#"$0.reviews.contains("a")"#, "Review"), (#"$0.reviews.hasPrefix("a")"#, "hasPrefix"),
        (#"$0.reviews > 3"#, ">"), (#"$0.reviews.count"#, "Int"), (#"$0.title"#, "String"),
        (#"$0.price.contains("a")"#, "contains"), (#"$0.weight.hasPrefix("a")"#, "Double"),
        (#"$0.category == "a""#, "=="), (#"$0.category.nam == "a""#, "nam"),
        (#"$0.category.contains("a")"#, "contains"),
        (#"$0.category.isEmpty"#, "isEmpty"), (#"$0.width && $0.title == "a""#, "Int?"), (#"!$0.width"#, "Int?"),
        (#"$0.width.isIn(["a"])"#, "Int"), (#"$0.size == .huge"#, "huge"), (#"$0.isNew.contains(true)"#, "contains"),
        (#"$0.title.lowercased() == "a""#, "caseInsensitive"), (#"$0.note.uppercased() == "A""#, "caseInsensitive"),
        (#"$0.title.localizedCaseInsensitiveContains("a")"#, "caseInsensitive.contains"),
        (#"$0.size.rawValue == "small""#, "$0.kind == .large"), (#"["a"].contains($0.title)"#, "isIn"),
        (#"$0.reviews.stars > 3"#, "any {"), (#"$0.reviews.contains { $0.stars > 3 }"#, "any {"),
        (#"$0.reviews.filter { $0.stars > 3 }.count > 1"#, "any {"),
    ]

    @Test func `Sixty spellings are tested`() { #expect(Self.right.count + Self.wrong.count >= 60) }

    @Test(arguments: ["-Onone", "-O"]) func `Right conditions compile, alone and together in a closure`(
        _ optimization: String
    ) async throws {
        let together = Self.right.map { "    _ = Product.where { \($0) }\n" }.joined()
        let alone = Self.right.enumerated().map { "func right\($0)() { _ = Product.where { \($1) } }\n" }.joined()
        let program = Self.declarations + alone + "func all() { run { _ in\n\(together)    return 1\n} }\n"
        #expect(try await Self.compile(program, "-c \(optimization) -o right.o") == [])
    }

    @Test func `A wrong condition is an error that names the operator or the type, also after right ones`() async throws
    {
        let functions = Self.wrong.enumerated().map { number, wrong in
            "func wrong\(number)() { run { _ in _ = Product.where { $0.reviews.count > 9 && $0.category.name == \"a\" };"
                + " _ = Product.where { \(wrong.0) }; return 1 } }\n"
        }
        let errors = try await Self.compile(Self.declarations + functions.joined(), "-typecheck")
        let first = Self.declarations.count(where: { $0 == "\n" }) + 1
        for (number, wrong) in Self.wrong.enumerated() {
            let found = errors.filter { $0.hasPrefix("\(first + number):") }
            #expect(found.contains { $0.contains(wrong.1) }, "\(wrong.0): \(found)")
        }
    }

    /// Returns the errors of the compiler, each after its line.
    private static func compile(_ program: String, _ options: String) async throws -> [String] {
        let folder = try TemporaryDirectory()
        try folder.write(program, to: "conditions.swift")
        let result = try await runShell(
            """
            swiftc \(options) -parse-as-library -swift-version 6 -diagnostic-style llvm -I "$PRODUCTS/Modules" \\
                -I "$SOURCES/CMappingSHA256/include" -I "$SOURCES/CMappingRuntime/include" -I "$SOURCES/CMappingSQLite" -I "$SOURCES/CMappingZlib" \\
                conditions.swift 2>&1
            """,
            environment: ["PRODUCTS": productsDirectory.path, "SOURCES": resource("Sources").path],
            directory: folder.url)
        let lines = result.output.split(separator: "\n")
        let errors = lines.compactMap { line -> String? in
            guard let match = line.wholeMatch(of: /conditions\.swift:(\d+):\d+: error: (.*)/) else { return nil }
            return "\(match.1):\(match.2)"
        }
        // A crash has no line.
        return errors.isEmpty && result.status != 0 ? lines.prefix(5).map(String.init) : errors
    }
}
