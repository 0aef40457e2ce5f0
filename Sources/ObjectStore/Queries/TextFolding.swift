/// The differences between texts that a comparison ignores.
package struct TextFolding: OptionSet, Sendable, Hashable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static var `case`: TextFolding { TextFolding(rawValue: 1) }
    package static var diacritics: TextFolding { TextFolding(rawValue: 2) }

    /// Returns the text without these differences; equal in SQL and in memory.
    package func fold(_ text: String) -> String {
        if isEmpty { return text }
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return contains(.case) ? text.lowercased() : text }
        var result = String.UnicodeScalarView()
        for var scalar in text.unicodeScalars {
            if contains(.diacritics) {
                if scalar.properties.generalCategory == .nonspacingMark { continue }
                scalar = Self.bases[scalar] ?? scalar
            }
            if contains(.case) {
                // Converted via uppercase, so that "ß" and "SS" are equal.
                for lower in scalar.properties.lowercaseMapping.unicodeScalars {
                    for upper in lower.properties.uppercaseMapping.unicodeScalars {
                        result.append(contentsOf: upper.properties.lowercaseMapping.unicodeScalars)
                    }
                }
            } else {
                result.append(scalar)
            }
        }
        return String(result)
    }

    /// The base letters of letters with diacritics.
    ///
    /// Each base letter is followed by the letters that Unicode composes from it.
    private static let bases: [Unicode.Scalar: Unicode.Scalar] = {
        var bases: [Unicode.Scalar: Unicode.Scalar] = [:]
        for group in composed.unicodeScalars.split(separator: " ") {
            guard let base = group.first else { continue }
            for letter in group.dropFirst() { bases[letter] = base }
        }
        return bases
    }()

    private static let composed = """
        AÀÁÂÃÄÅĀĂĄǍǞǠǺȀȂȦḀẠẢẤẦẨẪẬẮẰẲẴẶ CÇĆĈĊČḈ EÈÉÊËĒĔĖĘĚȄȆȨḔḖḘḚḜẸẺẼẾỀỂỄỆ IÌÍÎÏĨĪĬĮİǏȈȊḬḮỈỊ NÑŃŅŇǸṄṆṈṊ \
        OÒÓÔÕÖŌŎŐƠǑǪǬȌȎȪȬȮȰṌṎṐṒỌỎỐỒỔỖỘỚỜỞỠỢ UÙÚÛÜŨŪŬŮŰŲƯǓǕǗǙǛȔȖṲṴṶṸṺỤỦỨỪỬỮỰ YÝŶŸȲẎỲỴỶỸ \
        aàáâãäåāăąǎǟǡǻȁȃȧḁạảấầẩẫậắằẳẵặ cçćĉċčḉ eèéêëēĕėęěȅȇȩḕḗḙḛḝẹẻẽếềểễệ iìíîïĩīĭįǐȉȋḭḯỉị nñńņňǹṅṇṉṋ \
        oòóôõöōŏőơǒǫǭȍȏȫȭȯȱṍṏṑṓọỏốồổỗộớờởỡợ uùúûüũūŭůűųưǔǖǘǚǜȕȗṳṵṷṹṻụủứừửữự yýÿŷȳẏẙỳỵỷỹ DĎḊḌḎḐḒ dďḋḍḏḑḓ \
        GĜĞĠĢǦǴḠ gĝğġģǧǵḡ HĤȞḢḤḦḨḪ hĥȟḣḥḧḩḫẖ JĴ jĵǰ KĶǨḰḲḴ kķǩḱḳḵ LĹĻĽḶḸḺḼ lĺļľḷḹḻḽ RŔŖŘȐȒṘṚṜṞ rŕŗřȑȓṙṛṝṟ \
        SŚŜŞŠȘṠṢṤṦṨ sśŝşšșṡṣṥṧṩ TŢŤȚṪṬṮṰ tţťțṫṭṯṱẗ WŴẀẂẄẆẈ wŵẁẃẅẇẉẘ ZŹŻŽẐẒẔ zźżžẑẓẕ ÆǢǼ æǣǽ ƷǮ ʒǯ ØǾ øǿ \
        ΑΆἈἉἊἋἌἍἎἏᾈᾉᾊᾋᾌᾍᾎᾏᾸᾹᾺΆᾼ ΕΈἘἙἚἛἜἝῈΈ ΗΉἨἩἪἫἬἭἮἯᾘᾙᾚᾛᾜᾝᾞᾟῊΉῌ ΙΊΪἸἹἺἻἼἽἾἿῘῙῚΊ ΟΌὈὉὊὋὌὍῸΌ ΥΎΫὙὛὝὟῨῩῪΎ \
        ΩΏὨὩὪὫὬὭὮὯᾨᾩᾪᾫᾬᾭᾮᾯῺΏῼ ιΐίϊἰἱἲἳἴἵἶἷὶίῐῑῒΐῖῗ αάἀἁἂἃἄἅἆἇὰάᾀᾁᾂᾃᾄᾅᾆᾇᾰᾱᾲᾳᾴᾶᾷ εέἐἑἒἓἔἕὲέ \
        ηήἠἡἢἣἤἥἦἧὴήᾐᾑᾒᾓᾔᾕᾖᾗῂῃῄῆῇ υΰϋύὐὑὒὓὔὕὖὗὺύῠῡῢΰῦῧ οόὀὁὂὃὄὅὸό ωώὠὡὢὣὤὥὦὧὼώᾠᾡᾢᾣᾤᾥᾦᾧῲῳῴῶῷ ϒϓϔ ЕЀЁӖ ГЃ ІЇ \
        КЌ ИЍЙӢӤ УЎӮӰӲ ийѝӣӥ еѐёӗ гѓ ії кќ уўӯӱӳ ѴѶ ѵѷ ЖӁӜ жӂӝ АӐӒ аӑӓ ӘӚ әӛ ЗӞ зӟ ОӦ оӧ ӨӪ өӫ ЭӬ эӭ ЧӴ чӵ \
        ЫӸ ыӹ BḂḄḆ bḃḅḇ FḞ fḟ MḾṀṂ mḿṁṃ PṔṖ pṕṗ VṼṾ vṽṿ XẊẌ xẋẍ ſẛ ¨῁῭΅ ᾿῍῎῏ ῾῝῞῟ ρῤῥ ΡῬ
        """
}
