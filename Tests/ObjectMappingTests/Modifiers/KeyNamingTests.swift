import ObjectMapping
import Testing

struct KeyNamingTests {
    private struct Home: Mappable, Equatable {
        var zipCode = ""
        static let mapping = Mapping(Home.init, keys: .snakeCase) { Attribute(\.zipCode) }
    }

    private struct Member: Equatable {
        var id = 0
        var userID = 0
        var firstName = ""
        var URLString = ""
        var homeAddress = Home()
        var workAddress: Home?
        var oldHomes: [Home] = []
        var newHomes: Set<Int>?
        var eMail = ""
        var address2 = ""
        var observed = 0 { didSet {} }
    }

    @Test(arguments: [
        ("name", "name", "name"), ("firstName", "first_name", "first-name"), ("userID", "user_id", "user-id"),
        ("URLString", "url_string", "url-string"), ("isHTTPSEnabled", "is_https_enabled", "is-https-enabled"),
        ("address2", "address2", "address2"), ("line2Text", "line2_text", "line2-text"),
        ("eMail", "e_mail", "e-mail"), ("ID", "id", "id"), ("iOSVersion", "i_os_version", "i-os-version"),
        ("aB", "a_b", "a-b"), ("first_name", "first_name", "first_name"), ("First_Name", "first_name", "first_name"),
        ("_private", "_private", "_private"), ("URLs", "ur_ls", "ur-ls"), ("x", "x", "x"),
        ("größeÄnderung", "größe_änderung", "größe-änderung"),
    ])
    func `Names become words`(name: String, snake: String, kebab: String) {
        #expect(KeyNaming.snakeCase.key(of: name) == snake)
        #expect(KeyNaming.kebabCase.key(of: name) == kebab)
        #expect(KeyNaming.asIs.key(of: name) == name)
    }

    private static func mapping(_ keys: KeyNaming) -> Mapping<Member> {
        Mapping(Member.init, keys: keys) {
            Attribute(\.id)
            Attribute(\.userID).required
            Attribute(\.firstName)
            Attribute(\.URLString)
            Relationship(\.homeAddress)
            Relationship(\.workAddress)
            Relationship(\.oldHomes)
            Attribute(\.newHomes)
            Attribute("eMail", \.eMail)
        }
    }

    @Test func `Rules without a source read the key of the property's name`() throws {
        let text = """
            {"id": 1, "user_id": 2, "first_name": "Ann", "url_string": "u", "home_address": {"zip_code": "1"},
             "work_address": {"zip_code": "2"}, "old_homes": [{"zip_code": "3"}], "new_homes": [4], "eMail": "m"}
            """
        let member = try Self.mapping(.snakeCase).map(text)
        #expect(member.id == 1 && member.userID == 2 && member.firstName == "Ann" && member.URLString == "u")
        #expect(member.homeAddress.zipCode == "1" && member.workAddress?.zipCode == "2")
        #expect(member.oldHomes.map(\.zipCode) == ["3"] && member.newHomes == [4] && member.eMail == "m")
    }

    @Test func `By default the key is the name`() throws {
        #expect(try Self.mapping(.asIs).map(#"{"userID": 2, "firstName": "Ann"}"#).firstName == "Ann")
    }

    @Test func `Messages name the key`() {
        expectIssues(
            "1:1 $.USERID: expected the key 'USERID', found no such key (rule USERID -> Member.userID); did you mean 'USERId'?"
        ) { _ = try Self.mapping(.custom { $0.uppercased() }).map(#"{"USERId": 1}"#) }
    }

    @Test func `Each name of a property path becomes a key`() throws {
        let mapping = Mapping(Member.init, keys: .snakeCase) { Attribute(\.homeAddress.zipCode) }
        #expect(try mapping.map(#"{"home_address": {"zip_code": "1"}}"#).homeAddress.zipCode == "1")
    }

    @Test func `A dot in a custom key is not a separator`() throws {
        let mapping = Mapping(Member.init, keys: .custom { "a.\($0)" }) { Attribute(\.id) }
        #expect(try mapping.map(#"{"a.id": 3}"#).id == 3)
    }

    @Test func `A property without a known name needs a source`() {
        expectIssues(
            """
            expected an explicit key path, found no name; only stored properties of structs and \
            final classes have names, and observed ones do not (rule its name -> a computed or observed property of Member)
            """
        ) {
            try Mapping(Member.init) {
                Attribute(\.id)
                Attribute(\.observed)
            }.validate()
        }
    }
}
