import ObjectMapping
import Testing

struct UnionTests {
    private struct Tag: Mappable, Hashable {
        var id = 0
        var name = ""

        static let mapping = Mapping(Tag.init) {
            Attribute("id", \.id)
            Attribute("name", \.name)
        }
        .identified(by: \.id)

        static let anonymous = Mapping(Tag.init) { Attribute("name", \.name) }
    }

    private struct Page: Equatable {
        var tags: [Tag] = []
        var names: [Tag] = []
        var set: Set<Tag> = []
        var words: [String]?
        var numbers: Set<Int> = []
    }

    private static let mapping = Mapping(Page.init) {
        Relationship("tags", \.tags).policy(.union)
        Relationship("names", \.names, Tag.anonymous).policy(.union)
        Relationship("set", \.set).policy(.union)
        Attribute("words", \.words).policy(.union)
        Attribute("numbers", \.numbers).policy(.union)
    }
    .whenAbsent(.clear)

    private static var first: Page {
        get throws {
            try mapping.map(
                """
                {"tags": [{"id": 1, "name": "a"}, {"id": 2, "name": "b"}], "names": [{"name": "a"}],
                 "set": [{"id": 1, "name": "a"}, {"id": 2}], "words": ["a", "b", "a"], "numbers": [1, 2]}
                """)
        }
    }

    @Test func `New elements are appended without duplicates`() throws {
        var page = try Self.first
        #expect(page.words == ["a", "b"])
        try Self.mapping.update(
            &page,
            from: """
                {"tags": [{"id": 3, "name": "c"}, {"id": 1, "name": "z"}], "names": [{"name": "a"}],
                 "set": {"id": 1, "name": "z"}, "words": ["b", "c"], "numbers": 3}
                """)
        #expect(page.tags == [Tag(id: 1, name: "z"), Tag(id: 2, name: "b"), Tag(id: 3, name: "c")])
        #expect(page.names == [Tag(name: "a"), Tag(name: "a")])
        #expect(page.set == [Tag(id: 1, name: "z"), Tag(id: 2)])
        #expect(page.words == ["a", "b", "c"])
        #expect(page.numbers == [1, 2, 3])
    }

    @Test(arguments: ["{}", #"{"tags": null, "names": null, "set": null, "words": null, "numbers": null}"#])
    func `Null and absence change nothing`(text: String) throws {
        var page = try Self.first
        let before = page
        try Self.mapping.update(&page, from: text)
        #expect(page == before)
    }

    @Test func `Objects of classes are united by identity`() throws {
        let mapping = Mapping({ Person() }) {
            Relationship("houses", \.houses).policy(.union)
            Relationship("team", \.team, Person.mapping).policy(.union)
            Attribute("languages", \.languages).policy(.union)
        }
        let person = Person()
        let text = #"{"houses": [{"city": "Rome"}], "team": [{"name": "Ann"}], "languages": ["en"]}"#
        try mapping.update(person, from: text)
        try mapping.update(person, from: text)
        #expect(person.houses.map(\.city) == ["Rome", "Rome"])
        #expect(person.team?.map(\.name) == ["Ann", "Ann"])
        #expect(person.languages == ["none", "en"])
    }

    @Test func `Set and replace exchange the old values for the new ones`() throws {
        for policy in [AssignmentPolicy.set, .replace] {
            let mapping = Mapping(Page.init) { Relationship("tags", \.tags).policy(policy) }
            var page = try Self.first
            try mapping.update(&page, from: #"{"tags": [{"id": 9}]}"#)
            #expect(page.tags == [Tag(id: 9)])
            try mapping.update(&page, from: #"{"tags": null}"#)
            #expect(page.tags.isEmpty)
        }
    }

    @Test func `A value with issues adds nothing`() throws {
        var page = try Self.first
        let before = page
        #expect(throws: MappingError.self) { try Self.mapping.update(&page, from: #"{"numbers": [3, "x"]}"#) }
        #expect(page == before)
    }

    @Test func `A property of one value has no union`() {
        expectIssues(
            """
            expected an array or a set for the policy 'union', found a property that holds one value \
            (rule payment -> Box.payment)
            expected an array or a set for the policy 'union', found a property that holds one value \
            (rule int -> Box.int)
            """
        ) {
            try Mapping(Box.init) {
                Relationship("payment", \.payment, Payment.mapping).policy(.union)
                Attribute("int", \.int).policy(.union)
            }.validate()
        }
    }
}
