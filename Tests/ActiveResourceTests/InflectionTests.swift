import ActiveResource
import Testing

@Suite("Naming conventions of Rails")
struct InflectionTests {
    static let words = [
        ("person", "people"), ("post", "posts"), ("address", "addresses"), ("category", "categories"), ("day", "days"),
        ("status", "statuses"), ("bus", "buses"), ("tomato", "tomatoes"), ("datum", "data"), ("analysis", "analyses"),
        ("wife", "wives"), ("half", "halves"), ("hive", "hives"), ("box", "boxes"), ("index", "indices"),
        ("matrix", "matrices"), ("mouse", "mice"), ("ox", "oxen"), ("quiz", "quizzes"), ("crisis", "crises"),
        ("news", "news"), ("sheep", "sheep"), ("child", "children"), ("woman", "women"), ("move", "moves"),
        ("line_item", "line_items"), ("sales_person", "sales_people"), ("octopus", "octopi"), ("shoe", "shoes"),
        ("database", "databases"), ("query", "queries"), ("movie", "movies"), ("police", "police"),
    ]

    @Test(arguments: words) func `Plurals and singulars are equal to those of Rails`(
        _ singular: String, _ plural: String
    ) {
        #expect(Inflector.plural(of: singular) == plural)
        #expect(Inflector.singular(of: plural) == singular)
        #expect(Inflector.plural(of: plural) == plural)
    }

    @Test func `Names of types become words with underscores, and back`() {
        #expect(Inflector.underscored("StreetAddress") == "street_address")
        #expect(Inflector.underscored("HTMLPage") == "html_page")
        #expect(Inflector.camelCased("street_address") == "StreetAddress")
        #expect(Inflector.humanized("author_id") == "Author")
        #expect(Inflector.humanized("street_address") == "Street address")
        #expect(StreetAddress.elementName == "street_address")
        #expect(StreetAddress.collectionName == "street_addresses")
    }

    @Test func `Words of a domain can be added`() throws {
        Inflector.addIrregular("virtuoso", plural: "virtuosi")
        Inflector.addUncountable("firmware")
        try Inflector.addPlural("(gall)ox$", "$1oxen")
        try Inflector.addSingular("(gall)oxen$", "$1ox")
        #expect(Inflector.plural(of: "virtuoso") == "virtuosi")
        #expect(Inflector.plural(of: "firmware") == "firmware")
        #expect(Inflector.plural(of: "gallox") == "galloxen")
        #expect(Inflector.singular(of: "galloxen") == "gallox")
        #expect(throws: (any Error).self) { try Inflector.addPlural("(", "") }
    }
}
