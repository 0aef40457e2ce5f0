import ObjectMapping
import Testing

struct CollectionOperatorTests {
    /// The bank account of the RestKit documentation, with unusual variants.
    private static let json = table(
        #"""
        {"id": 1234,
        "balance": 5000.5,
        "none": null,
        "empty": [],
        "name": "n",
        "transactions": [{"id": 1, "payee": "Joe Blow", "amount": 50.0, "tags": ["a", "b"]}, {"id": 2, "payee": "Grocery Store", "amount": 100.75, "tags": ["b", null, "c"]}, {"id": 3, "payee": "Joe Blow", "amount": 25.25, "tags": null}],
        "gaps": [{"n": 4}, {"n": null}, {}, {"n": -2}],
        "nulls": [null, null],
        "numbers": [3, 1.0, 2, 1],
        "words": ["b", "a", "é", "Z"],
        "flags": [true, false],
        "accounts": [{"t": [{"v": 1}, {"v": 2}]}, {"t": [{"v": 5}]}, {"t": []}],
        "odd": [{"v": 1}, {"v": "2"}, {"v": true}, {"v": [1]}, {"v": {"w": 1}}],
        "deep": [{"t": [{"v": 1}]}, {"t": [{"v": "x"}]}],
        "strings": [{"v": "a"}, {"v": 1}]}
        """#)

    @Test(
        arguments: [
            // The collection itself: absent, null, empty, not a collection.
            ("x.@count", nil), ("x.@sum.v", nil), ("x.y.@avg.v", nil), ("id.@count", nil), ("name.@count", nil),
            ("name.@sum.v", nil),
            ("none.@count", "null"), ("none.@sum.v", "null"), ("none.@max", "null"),
            ("none.x.@unionOfObjects.y", "null"),
            ("empty.@count", "0"), ("empty.@sum.v", "0"), ("empty.@avg.v", "0"), ("empty.@min.v", "null"),
            ("empty.@max.v", "null"),
            ("empty.@unionOfObjects.v", "[]"), ("empty.@distinctUnionOfArrays.v", "[]"),
            // Count.
            ("transactions.@count", "3"), ("transactions.@count.payee", "3"), ("nulls.@count", "2"), ("@count", "15"),
            ("transactions.payee.@count", "3"),
            // Sum and average: null and absent leaves count as 0 and as elements.
            ("transactions.@sum.amount", "176.0"), ("transactions.@avg.amount", "58.666666666666664"),
            ("transactions.@sum.id", "6"),
            ("transactions.@avg.id", "2"), ("gaps.@sum.n", "2"), ("gaps.@avg.n", "0.5"), ("nulls.@sum", "0"),
            ("nulls.@avg", "0"),
            ("numbers.@sum", "7"), ("transactions.@sum.misspelt", "0"),
            // Minimum and maximum: null and absent leaves are ignored.
            ("transactions.@min.amount", "25.25"), ("transactions.@max.amount", "100.75"), ("gaps.@min.n", "-2"),
            ("gaps.@max.n", "4"),
            ("nulls.@min", "null"), ("words.@min", #""Z""#), ("words.@max", #""é""#), ("numbers.@min", "1.0"),
            ("transactions.@max.payee", #""Joe Blow""#),
            // Unions: null and absent leaves are skipped, in the order of the text.
            ("transactions.@unionOfObjects.payee", #"["Joe Blow","Grocery Store","Joe Blow"]"#),
            ("transactions.@distinctUnionOfObjects.payee", #"["Joe Blow","Grocery Store"]"#),
            ("gaps.@unionOfObjects.n", "[4,-2]"),
            ("numbers.@distinctUnionOfObjects", "[3,1.0,2]"), ("nulls.@unionOfObjects", "[]"),
            ("flags.@distinctUnionOfObjects", "[true,false]"),
            ("transactions.@unionOfArrays.tags", #"["a","b","b","c"]"#),
            ("transactions.@unionOfSets.tags", #"["a","b","b","c"]"#),
            ("transactions.@distinctUnionOfArrays.tags", #"["a","b","c"]"#),
            ("transactions.@distinctUnionOfSets.tags", #"["a","b","c"]"#),
            // Operators at any position: the rest of the path is read from each element.
            ("accounts.@sum.t.@count", "3"), ("accounts.@max.t.@sum.v", "5"),
            ("accounts.@unionOfObjects.t.@count", "[2,1,0]"),
            ("accounts.@unionOfArrays.t.v", "[1,2,5]"), ("accounts.t.@count", "3"),
            ("accounts.t.v.@unionOfArrays", "[1,2,5]"),
            ("accounts.@avg.t.@avg.v", "2.1666666666666665"),
        ] as [(String, String?)])
    func `An operator computes one value of a collection`(path: String, text: String?) throws {
        #expect(try Self.json.value(at: path)?.text == text)
    }

    @Test(
        arguments: [
            ("odd.@sum.v", "$.odd[1].v: expected a number, found a string (rule odd.@sum.v)"),
            ("odd.v.@avg", "$.odd[1].v: expected a number, found a string (rule odd.v.@avg)"),
            ("flags.@sum", "$.flags[0]: expected a number, found a boolean (rule flags.@sum)"),
            ("flags.@max", "$.flags[0]: expected a number or a string, found a boolean (rule flags.@max)"),
            ("strings.@min.v", "$.strings[1].v: expected a string, as before it, found a number (rule strings.@min.v)"),
            ("odd.@max.v", "$.odd[1].v: expected a number, as before it, found a string (rule odd.@max.v)"),
            (
                "transactions.@unionOfArrays.payee",
                "$.transactions[0].payee: expected an array, found a string (rule transactions.@unionOfArrays.payee)"
            ),
            ("accounts.@sum.t", "$.accounts[0].t: expected a number, found an array (rule accounts.@sum.t)"),
            ("deep.@sum.t.@sum.v", "$.deep[1].t[0].v: expected a number, found a string (rule deep.@sum.t.@sum.v)"),
            ("deep.t.@sum", "$.deep[0].t: expected a number, found an array (rule deep.t.@sum)"),
        ])
    func `A value of another kind is reported with its position`(path: String, message: String) throws {
        let error = #expect(throws: MappingError.self) { try Self.json.value(at: path) }
        #expect(error?.description == message)
        #expect(error?.issues.map(\.kind) == [.typeMismatch])
    }

    @Test(arguments: [
        ("[9223372036854775807, 1]", "9223372036854775808"), ("[-9223372036854775808, -1]", "-9223372036854775809"),
        ("[18446744073709551615, 18446744073709551615]", "36893488147419103230"),
        ("[9223372036854775807, 1, -9223372036854775808]", "0"),
        ("[1.0, 2e0]", "3"), ("[1, 0.5]", "1.5"), ("[9007199254740993, 0]", "9007199254740993"),
        ("[0.1, 0.2]", "0.30000000000000004"),
        ("[170141183460469231731687303715884105727, 1]", "1.7014118346046923e+38"),
        ("[1e30, 1]", "1000000000000000000000000000001"),
        ("[1e300]", "1e+300"),
    ])
    func `Sums of integers are exact, others are doubles`(text: String, sum: String) throws {
        let json = try JSON(text)
        #expect(try json.value(at: "@sum")?.text == sum)
    }

    @Test(arguments: [("@sum", "[1e308, 1, 1e308]"), ("@avg", "[-1.7e308, 0.5, -1.7e308, 1e308]")])
    func `A sum beyond the range of Double is an issue, not null`(path: String, text: String) throws {
        let json = try JSON(text)
        let error = #expect(throws: MappingError.self) { try json.value(at: path) }
        #expect(
            error?.description
                == "$[2]: expected a sum within Double's range, found a sum outside the range at this number (rule \(path))"
        )
        expectIssues(
            """
            1:15 $.v[1]: expected a sum within Double's range, found a sum outside the range at this number (rule v.@sum -> Box.double)
            """
        ) { _ = try Mapping(Box.init) { Attribute("v.@sum", \.double) }.map(#"{"v": [1e308, 1e308, 1e308]}"#) }
    }

    @Test(arguments: [
        ("[9223372036854775807, 9223372036854775807]", "9223372036854775807"), ("[1, 2]", "1.5"), ("[2, 4]", "3"),
        ("[-1, null]", "-0.5"),
        ("[18446744073709551615, 18446744073709551613]", "18446744073709551614"), ("[0.5, 0.5]", "0.5"),
    ])
    func `An average of integers is an integer if that is exact`(text: String, average: String) throws {
        let json = try JSON(text)
        #expect(try json.value(at: "@avg")?.text == average)
    }

    @Test func `Numbers are compared exactly, not as doubles`() throws {
        let text = "[9007199254740993, 9007199254740992.5, 9007199254740992, 1e400, -1e400, -0.1, -0.10]"
        let json = try JSON(text)
        #expect(try json.value(at: "@max")?.text == "1e400")
        #expect(try json.value(at: "@min")?.text == "-1e400")
        #expect(
            try JSON(["9007199254740992.5", "9007199254740993"].joined(separator: ",").asList).value(at: "@max")?.text
                == "9007199254740993")
        let error = #expect(throws: MappingError.self) { try json.value(at: "@sum") }
        #expect(error?.description == "$[3]: expected a number within Double's range, found a number (rule @sum)")
    }
}

extension String {
    fileprivate var asList: String { "[\(self)]" }
}
