import Testing

@testable import Seeder

@Suite struct NameWordsTests {
    @Test(arguments: [
        ("assigned_user_id", "assignedUserID", "AssignedUserID"),
        ("assignedUserId", "assignedUserID", "AssignedUserID"),
        ("Assigned-User-ID", "assignedUserID", "AssignedUserID"),
        ("userIDs", "userIDs", "UserIDs"),
        ("tag_ids", "tagIDs", "TagIDs"),
        ("avatar_url", "avatarURL", "AvatarURL"),
        ("URLString", "urlString", "URLString"),
        ("alpha_2", "alpha2", "Alpha2"),
        ("iso_3166-1", "iso3166_1", "ISO3166_1"),
        ("_id", "id", "ID"),
        ("$schema", "schema", "Schema"),
        ("größe", "größe", "Größe"),
        ("name of it", "nameOfIt", "NameOfIt"),
        ("", "", ""), ("!?", "", ""),
    ])
    func `a key is joined in Swift's style`(key: String, property: String, type: String) {
        #expect(NameWords(of: key).camelCase == property)
        #expect(NameWords(of: key).upperCamelCase == type)
    }

    @Test(arguments: [
        ("user", "users"), ("country", "countries"), ("day", "days"), ("address", "addresses"), ("box", "boxes"),
        ("status", "statuses"), ("branch", "branches"), ("house", "houses"), ("person", "people"),
        ("child", "children"), ("movie", "movies"), ("index", "indices"), ("analysis", "analyses"),
        ("cause", "causes"), ("bus", "buses"), ("category", "categories"), ("hero", "heroes"),
    ])
    func `a noun has a singular and a plural`(singular: String, plural: String) {
        #expect(NounForms.plural(singular) == plural)
        #expect(NounForms.singular(plural) == singular)
        #expect(NounForms.singular(singular) == singular)
        #expect(NounForms.plural(plural) == plural)
    }

    @Test(arguments: ["data", "news", "series", "media"])
    func `some nouns do not change`(noun: String) {
        #expect(NounForms.plural(noun) == noun)
        #expect(NounForms.singular(noun) == noun)
    }
}
