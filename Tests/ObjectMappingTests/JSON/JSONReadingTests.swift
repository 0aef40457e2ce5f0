import ObjectMapping
import Testing

struct JSONReadingTests {
    private static let text = #"{"a": {"b": ["x\n\u00e9\ud83d\ude00\u0000/\/", -12, 1.50, true, null]}, "é": false}"#

    private func check(_ json: JSON) {
        #expect(json["a"]["b"][0].string == "x\né😀\0//")
        #expect(json["a"]["b"][1].int == -12)
        #expect(json["a"]["b"][2].double == 1.5)
        #expect(json["a"]["b"][3].bool == true)
        #expect(json["a"]["b"][4].isNull)
        #expect(json["é"].bool == false)
    }

    @Test func `Data, bytes, strings and slices of them give equal values`() throws {
        let bytes = Array(Self.text.utf8)
        check(try JSON(Self.text))
        check(try JSON(Data(bytes)))
        check(try JSON(bytes))
        check(try JSON(([0] + bytes + [0])[1...bytes.count]))
        check(try JSON((" " + Self.text + "]").dropFirst().dropLast()))
        check(try JSON(([0] + Data(bytes)).dropFirst()))
    }

    @Test func `Every kind has its own accessors only`() throws {
        let json: JSON = [.null, true, 1, .string("s"), [1], ["k": 1], 1.5]
        func kinds(_ json: JSON) -> [Bool] {
            [
                json.isNull, json.bool != nil, json.int != nil, json.string != nil, json.array != nil,
                json.object != nil,
                json.double != nil, json.decimal != nil,
            ]
        }
        let (t, f) = (true, false)
        #expect(kinds(json[0]) == [t, f, f, f, f, f, f, f])
        #expect(kinds(json[1]) == [f, t, f, f, f, f, f, f])
        #expect(kinds(json[2]) == [f, f, t, f, f, f, t, t])
        #expect(kinds(json[3]) == [f, f, f, t, f, f, f, f])
        #expect(kinds(json[4]) == [f, f, f, f, t, f, f, f])
        #expect(kinds(json[5]) == [f, f, f, f, f, t, f, f])
        #expect(kinds(json[6]) == [f, f, f, f, f, f, t, t])
        #expect(kinds(json[7]) == [f, f, f, f, f, f, f, f])
    }

    @Test func `Subscripts never trap, and distinguish absent from null`() {
        let json: JSON = ["a": [1, .null], "n": .null]
        for absent in [
            json["x"], json["a"]["b"], json["a"][2], json["a"][-1], json["a"][.max], json[0], json["n"]["x"][3]["y"],
        ] {
            #expect(!absent.exists)
            #expect(!absent.isNull)
            #expect(absent.text.isEmpty)
        }
        for null in [json["n"], json["a"][1]] {
            #expect(null.exists)
            #expect(null.isNull)
        }
        #expect(json[at: "a"][0] == 1)
        #expect(json[at: "a.@sum"] == 1)
        #expect(!json[at: "a.@summ"].exists)
    }

    @Test func `Members keep their order, and are found in large objects`() throws {
        let names = (0..<5000).map { "key \(($0 * 7919) % 5000)" }
        let text = "{" + names.map { "\"\($0)\":\"\($0)\"" }.joined(separator: ",") + "}"
        let object = try #require(try JSON(text).object)
        #expect(object.keys == names)
        #expect(names.allSatisfy { object[$0]?.string == $0 })
        #expect(object["key 5000"] == nil)
        #expect(object.first?.key == "key 0")
        #expect(object.count == 5000)
    }

    @Test func `Keys and strings are compared by their scalars`() throws {
        let text = "{\"\u{E9}\": 1, \"e\u{301}\": 2}"
        let json = try JSON(text)
        #expect(json.object?.count == 2)
        #expect(json["\u{E9}"] == 1)
        #expect(json["e\u{301}"] == 2)
        #expect(json.duplicateKeys.isEmpty)
        #expect(JSON.string("\u{E9}") != JSON.string("e\u{301}"))
    }

    @Test func `The last value of repeated keys is at the first position, and each repetition is a warning`() throws {
        let text = """
            {"a": 1, "b": 2, "a": 3,
             "c": [{"x": 1, "\\u0078": {"é": 1, "é": 2}}],
             "a": 4}
            """
        let json = try JSON(text)
        #expect(json.text == #"{"a":4,"b":2,"c":[{"x":{"é":2}}]}"#)
        #expect(
            json.duplicateKeys.map(\.description) == [
                "1:18 $.a: expected unique keys, found a duplicate key",
                "2:17 $.c[0].x: expected unique keys, found a duplicate key",
                "2:36 $.c[0].x.é: expected unique keys, found a duplicate key",
                "3:2 $.a: expected unique keys, found a duplicate key",
            ])
        #expect(json.duplicateKeys.allSatisfy { $0.isWarning && $0.kind == .duplicateKey })
        #expect(json == ["a": 4, "b": 2, "c": [["x": ["é": 2]]]])
    }

    @Test(arguments: [2, 20, 30, 200])
    func `A repetition is found among any number of keys`(count: Int) throws {
        var names = (0..<count).map { "k\($0)" }
        let sound = "{" + names.map { "\"\($0)\":1" }.joined(separator: ",") + "}"
        #expect(try JSON(sound).duplicateKeys.isEmpty)
        names.append("k\(count / 2)")
        let text = "[{" + names.map { "\"\($0)\":1" }.joined(separator: ",") + "}]"
        #expect(try JSON(text).duplicateKeys.map(\.path) == ["$[0].k\(count / 2)"])
        #expect(try JSON(text)[0].object?.count == count)
    }

    @Test func `The first thousand of many repeated keys are reported`() throws {
        let text = "{" + repeatElement(#""k":1"#, count: 50_000).joined(separator: ",") + "}"
        let json = try JSON(text)
        #expect(json.text == #"{"k":1}"#)
        #expect(json.duplicateKeys.count == 1000)
    }

    @Test(.timeLimit(.minutes(5)))
    func `A large array is read in linear time`() throws {
        let text = "[" + (0..<50_000).map { #"{"id":\#($0),"tags":["a",{"b":[]}]}"# }.joined(separator: ",") + "]"
        let json = try JSON(text)
        #expect(json.array?.count == 50_000)
        #expect(json[49_999]["tags"][1]["b"] == [])
        #expect(json.text == text)
    }

    @Test(.timeLimit(.minutes(5)))
    func `Elements and members are found by index and key in constant time`() throws {
        let elements = (0..<50_000).map { #"{"id":\#($0),"tags":[]}"# }.joined(separator: ",")
        let members = (0..<50_000).map { #""k\#($0)":[\#($0)]"# }.joined(separator: ",")
        let json = try JSON(#"{"a":[\#(elements)],"o":{\#(members)}}"#)
        let object = try #require(json["o"].object)
        var sum = 0
        for index in stride(from: 49_999, through: 0, by: -1) {
            sum += json["a"][index]["id"].int ?? 0
            sum -= json["o"]["k\(index)"][0].int ?? 0
            if object[index].key != "k\(index)" { sum += 1 }
        }
        #expect(sum == 0)
    }

    @Test func `Threads share the indexes of a value`() async throws {
        let members = (0..<500).map { #""k\#($0)":[\#($0)]"# }.joined(separator: ",")
        let json = try JSON("[{\(members)},{\(members)}]")
        let sums = await withTaskGroup(of: Int.self) { group in
            for task in 0..<8 {
                group.addTask {
                    (0..<500).reduce(0) { $0 + (json[task % 2]["k\($1)"][0].int ?? 0) }
                        + (json[task % 2].object?[499].value[0].int ?? 0)
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(sums == Array(repeating: 500 * 499 / 2 + 499, count: 8))
    }

    @Test func `Text of 4 GiB is not read`() throws {
        struct Endless: JSONInput {
            func withJSONBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
                let byte: UInt8 = 0
                return try withUnsafePointer(to: byte) { try body(UnsafeRawBufferPointer(start: $0, count: 1 << 32)) }
            }
        }
        let error = #expect(throws: MappingError.self) { try JSON(Endless()) }
        #expect(error?.description.contains("4294967296") == true, "\(String(describing: error))")
    }

    @Test func `Keys with equal hashes are distinguished`() throws {
        // Equal in length and in their first, middle and last eight bytes.
        let keys = (100..<1000).map { "12345678-\($0)-middle-and-\($0 % 10)-12345678" }
        let json = try JSON("{" + keys.map { "\"\($0)\":1" }.joined(separator: ",") + "}")
        #expect(json.object?.keys == keys)
        #expect(json.duplicateKeys.isEmpty)
    }

    @Test func `A label distinguishes parsing from creating a string`() throws {
        #expect(try JSON(parsing: "[1]") == [1])
        #expect(try JSON(parsing: "x[1]".dropFirst(), maximumDepth: 1) == [1])
        #expect(JSON.string("[1]").string == "[1]")
        #expect(throws: MappingError.self) { try JSON(parsing: "[[1]]", maximumDepth: 1) }
    }

    @Test func `A text is read whether it is a literal or not`() throws {
        #expect(try JSON("[1]") == [1])
        #expect(try JSON(#"{"a": null}"#)["a"].isNull)
    }

    @Test func `Setting adds, replaces and removes, and leaves other kinds unchanged`() {
        var json: JSON = [:]
        json["a"] = 1
        json["b"]["c"] = [1, 2]
        json["b"]["c"][2] = 3
        json["b"]["c"][0] = .string("x")
        json["b"]["c"][9] = 3
        json["a"]["x"] = 1
        json["n"] = .null
        #expect(json.text == #"{"a":1,"b":{"c":["x",2,3]},"n":null}"#)
        json["a"] = json["missing"]
        json["b"]["c"][1] = json["missing"]
        #expect(json.text == #"{"b":{"c":["x",3]},"n":null}"#)
    }
}
