import ObjectMapping

private let word = ReferenceType.integer(Int128(Int64.min)...Int128(Int64.max))

extension TypedTable<Wide> {
    static let wide = TypedTable(
        name: "Wide", make: { Wide() },
        properties: [
            attribute("int", word, \.int) { Attribute($0, \.int) },
            attribute("maybeInt", .optional(word), \.maybeInt) { Attribute($0, \.maybeInt) },
            attribute("small", .integer(-128...127), \.small) { Attribute($0, \.small) },
            attribute("maybeUnsigned", .optional(.integer(0...Int128(UInt64.max))), \.maybeUnsigned) {
                Attribute($0, \.maybeUnsigned)
            },
            attribute("double", .double, \.double) { Attribute($0, \.double) },
            attribute("maybeDouble", .optional(.double), \.maybeDouble) { Attribute($0, \.maybeDouble) },
            attribute("float", .optional(.float), \.float) { Attribute($0, \.float) },
            attribute("bool", .boolean, \.bool) { Attribute($0, \.bool) },
            attribute("maybeBool", .optional(.boolean), \.maybeBool) { Attribute($0, \.maybeBool) },
            attribute("text", .string, \.text) { Attribute($0, \.text) },
            attribute("maybeText", .optional(.string), \.maybeText) { Attribute($0, \.maybeText) },
            attribute("date", .date, \.date) { Attribute($0, \.date) },
            attribute("maybeDate", .optional(.date), \.maybeDate) { Attribute($0, \.maybeDate) },
            attribute("decimal", .optional(.decimal), \.decimal) { Attribute($0, \.decimal) },
            attribute("uuid", .optional(.uuid), \.uuid) { Attribute($0, \.uuid) },
            attribute("url", .optional(.url), \.url) { Attribute($0, \.url) },
            attribute("data", .optional(.data), \.data) { Attribute($0, \.data) },
            attribute("status", .status, \.status) { Attribute($0, \.status) },
            attribute("json", .optional(.json), \.json) { Attribute($0, \.json) },
            attribute("sureJSON", .json, \.sureJSON) { Attribute($0, \.sureJSON) },
            attribute("twice", .optional(.optional(word)), \.twice) { Attribute($0, \.twice) },
            attribute("ints", .list(word), \.ints) { Attribute($0, \.ints) },
            attribute("maybeTexts", .optional(.list(.string)), \.maybeTexts) { Attribute($0, \.maybeTexts) },
            attribute("textsOrNull", .list(.optional(.string)), \.textsOrNull) { Attribute($0, \.textsOrNull) },
            attribute("doubles", .list(.double), \.doubles) { Attribute($0, \.doubles) },
            attribute("bools", .list(.optional(.boolean)), \.bools) { Attribute($0, \.bools) },
            attribute("dates", .list(.date), \.dates) { Attribute($0, \.dates) },
            attribute("decimals", .optional(.list(.optional(.decimal))), \.decimals) { Attribute($0, \.decimals) },
            attribute("jsons", .list(.json), \.jsons) { Attribute($0, \.jsons) },
            attribute("grid", .list(.list(word)), \.grid) { Attribute($0, \.grid) },
            attribute("codes", .set(word), \.codes) { Attribute($0, \.codes) },
            attribute("observed", word, \.observed) { Attribute($0, \.observed) },
            attribute("names", .optional(.set(.string)), \.names) { Attribute($0, \.names) },
            relationship("knot", .one(isOptional: true), \.knot) { path, child, to in
                Relationship(path, \.knot, to.knot[child] ?? Mapping({ Knot() }) {})
            },
            relationship("wides", .many(isOptional: false), \.wides) { path, child, to in
                Relationship(path, \.wides, to.wide[child] ?? Mapping({ Wide() }) {})
            },
            relationship("maybeWides", .many(isOptional: true), \.maybeWides) { path, child, to in
                Relationship(path, \.maybeWides, to.wide[child] ?? Mapping({ Wide() }) {})
            },
            relationship("knots", .many(isOptional: false), \.knots) { path, child, to in
                Relationship(path, \.knots, to.knot[child] ?? Mapping({ Knot() }) {})
            },
            relationship("made", .one(isOptional: true), \.made) { path, child, to in
                Relationship(
                    path, \.made,
                    Mapping(Made.init, from: to.wide[child] ?? Mapping({ Wide() }) {}, values: { $0.values }))
            },
            relationship("mades", .many(isOptional: false), \.mades) { path, child, to in
                Relationship(
                    path, \.mades,
                    Mapping(Made.init, from: to.wide[child] ?? Mapping({ Wide() }) {}, values: { $0.values }))
            },
        ])
}

extension TypedTable<Knot> {
    static let knot = TypedTable(
        name: "Knot", make: { Knot() },
        properties: [
            attribute("int", word, \.int) { Attribute($0, \.int) },
            attribute("maybeInt", .optional(word), \.maybeInt) { Attribute($0, \.maybeInt) },
            attribute("small", .integer(0...65_535), \.small) { Attribute($0, \.small) },
            attribute("double", .double, \.double) { Attribute($0, \.double) },
            attribute("maybeDouble", .optional(.double), \.maybeDouble) { Attribute($0, \.maybeDouble) },
            attribute("bool", .boolean, \.bool) { Attribute($0, \.bool) },
            attribute("maybeBool", .optional(.boolean), \.maybeBool) { Attribute($0, \.maybeBool) },
            attribute("text", .string, \.text) { Attribute($0, \.text) },
            attribute("maybeText", .optional(.string), \.maybeText) { Attribute($0, \.maybeText) },
            attribute("date", .date, \.date) { Attribute($0, \.date) },
            attribute("maybeDate", .optional(.date), \.maybeDate) { Attribute($0, \.maybeDate) },
            attribute("decimal", .optional(.decimal), \.decimal) { Attribute($0, \.decimal) },
            attribute("status", .optional(.status), \.status) { Attribute($0, \.status) },
            attribute("json", .optional(.json), \.json) { Attribute($0, \.json) },
            attribute("ints", .list(word), \.ints) { Attribute($0, \.ints) },
            attribute("maybeTexts", .optional(.list(.optional(.string))), \.maybeTexts) { Attribute($0, \.maybeTexts) },
            attribute("codes", .optional(.set(word)), \.codes) { Attribute($0, \.codes) },
            attribute("alias", .optional(word), \.alias) { Attribute($0, \.alias) },
            relationship("inner", .one(isOptional: false), \.inner) { path, child, to in
                Relationship(path, \.inner, to.wide[child] ?? Mapping({ Wide() }) {})
            },
            relationship("maybeInner", .one(isOptional: true), \.maybeInner) { path, child, to in
                Relationship(path, \.maybeInner, to.wide[child] ?? Mapping({ Wide() }) {})
            },
            relationship("knot", .one(isOptional: true), \.knot) { path, child, to in
                Relationship(path, \.knot, to.knot[child] ?? Mapping({ Knot() }) {})
            },
            relationship("knots", .many(isOptional: false), \.knots) { path, child, to in
                Relationship(path, \.knots, to.knot[child] ?? Mapping({ Knot() }) {})
            },
            relationship("maybeKnots", .many(isOptional: true), \.maybeKnots) { path, child, to in
                Relationship(path, \.maybeKnots, to.knot[child] ?? Mapping({ Knot() }) {})
            },
        ])
}
