import Foundation
import MappingTestSupport
import RequestQueue
import Testing

@Suite("Queries and forms")
struct FormTests {
    private enum Order: String, FormText { case up, down }

    @Test func `Values are written as strings`() {
        let date = Date(timeIntervalSince1970: 1_795_245_780.5)
        let values: [(any FormValueConvertible, String)] = [
            ("a", "k=a"), ("", "k="), ("a b&c=d+e/ä%", "k=a%20b%26c%3Dd%2Be%2F%C3%A4%25"),
            ("-._~09azAZ", "k=-._~09azAZ"),
            ("\r\n\0", "k=%0D%0A%00"), ("[x]", "k=%5Bx%5D"), ("abc".dropFirst(), "k=bc"), (1, "k=1"),
            (UInt64.max, "k=18446744073709551615"), (1.5, "k=1.5"), (1e20, "k=1e%2B20"), (true, "k=true"),
            (Decimal(string: "0.10") ?? 0, "k=0.1"), (date, "k=2026-11-21T07%3A23%3A00.500Z"), (Order.down, "k=down"),
            (URL(filePath: "/a"), "k=file%3A%2F%2F%2Fa"), (Optional(1), "k=1"), (Int?.none, "k"), (FormValue.null, "k"),
        ]
        for (value, text) in values { #expect(FormValue(["k": value]).formEncoded == text) }
    }

    @Test func `Lists and fields nest`() {
        let forms: [(FormValue, String)] = [
            (["k": [1, 2]], "k[]=1&k[]=2"), (["k": [[1], [2, 3]]], "k[][]=1&k[][]=2&k[][]=3"),
            (["k": ["b": "1", "a": "2"]], "k[a]=2&k[b]=1"), (["k": ["a": ["b": ["c"]]]], "k[a][b][]=c"),
            (["k": [["n": 1, "m": 2], ["n": 3, "m": 4]]], "k[][m]=2&k[][n]=1&k[][m]=4&k[][n]=3"),
            (["k": ["n": "x", "m": 1] as FormValue], "k[n]=x&k[m]=1"), (["k": [] as FormValue], ""), ([:], ""),
            (["user[name]": "a"], "user[name]=a"), (["a b": ["c&": 1]], "a%20b[c%26]=1"),
            (["k": [nil, 1] as [Int?]], "k[]&k[]=1"),
        ]
        for (form, text) in forms { #expect(form.formEncoded == text) }
    }

    @Test func `A deeply nested form is encoded on a thread with a small stack`() async {
        let text: String = await withCheckedContinuation { continuation in
            let thread = Thread {
                var deep = FormValue.text("1")
                for level in 0..<500 { deep = level.isMultiple(of: 2) ? ["a": deep] : [deep] }
                continuation.resume(returning: FormValue(["k": deep]).formEncoded)
            }
            thread.stackSize = 128 << 10
            thread.start()
        }
        #expect(text == "k" + String(repeating: "[][a]", count: 250) + "=1")
    }

    @Test func `Literals and pairs keep their order, dictionaries are sorted`() {
        let texts = ["b": "1", "a": "2"]
        let pairs: KeyValuePairs = ["b": "1", "a": "2"]
        #expect(FormValue(texts).formEncoded == "a=2&b=1")
        #expect(pairs.formValue.formEncoded == "b=1&a=2")
        #expect((["b": 1, "a": "2"] as FormValue).formEncoded == "b=1&a=2")
    }

    @Test(
        arguments: [
            ("a=1&b=2", ["a": "1", "b": "2"]), ("a=1&a=2&b=3&a=4", ["a": ["1", "2", "4"] as FormValue, "b": "3"]),
            ("a=", ["a": ""]),
            ("a", ["a": ""]), ("", [:]), ("&&a=1&", ["a": "1"]), ("a=b=c", ["a": "b=c"]),
            ("a+b=c+d%2B", ["a b": "c d+"]),
            ("%C3%A4=%zz%4", ["ä": "%zz%4"]), ("a=%FF", ["a": "\u{FFFD}"]), ("k[]=1&k[]=2", ["k[]": ["1", "2"]]),
            ("=1", ["": "1"]),
        ] as [(String, FormValue)])
    func `A form is parsed, repeated names as a list and a missing value as an empty string`(
        _ text: String, _ form: FormValue
    ) {
        #expect(FormValue(formEncoded: text) == form)
    }

    @Test func `A written form is parsed again`() {
        let texts = ["ä&=": "1 +%", "": "\r\n", "k[]": "日"]
        #expect(FormValue(formEncoded: FormValue(texts).formEncoded) == FormValue(texts))
        #expect(FormValue(formEncoded: "a=1&b=2")["b"] == .text("2"))
        #expect(FormValue.text("a")["a"] == nil)
    }

    @Test func `A body can be a form, in the order of its kind`() async throws {
        let texts = ["b": "1", "a": "2"]
        #expect(try texts.snapshot().makeBodyData() == Data("a=2&b=1".utf8))
        let pairs: KeyValuePairs = ["b": 1, "a": 2]
        #expect(try pairs.snapshot().makeBodyData() == Data("b=1&a=2".utf8))
        let form: some RequestSerializable = .form(["b": 1, "a": "x"])
        #expect(form.contentType == "application/x-www-form-urlencoded")
        #expect(try form.makeBodyData() == Data("b=1&a=x".utf8))
        let error = #expect(throws: RequestError.self) { try FormValue.list([]).makeBodyData() }
        #expect(error?.kind == .invalidBody)
    }

    @Test(arguments: [100, 101, 10_000])
    func `A form that is nested too deeply is refused`(depth: Int) async throws {
        var form: FormValue = .text("x")
        for level in 1..<depth { form = level % 2 == 0 ? .list([form]) : .fields([.init(name: "a", value: form)]) }
        form = .fields([.init(name: "b", value: form)])
        guard depth > 100 else {
            let names = (1..<depth).reversed().map { $0 % 2 == 0 ? "[]" : "[a]" }
            #expect(try form.makeBodyData() == Data("b\(names.joined())=x".utf8))
            return
        }
        let client = RESTClient(baseURL: try #require(URL(string: "http://stub")), transport: StubTransport())
        let body = await #expect(throws: RequestError.self) { try await client.post("/a", form) }
        #expect(body?.kind == .invalidBody)
        #expect(body?.cause == "the form is nested more than 100 levels deep; send such values as JSON")
        let query = await #expect(throws: RequestError.self) { try await client.get("/a", query: ["q": form]) }
        #expect(query?.kind == .invalidURL)
        #expect(query?.cause == "the query is nested more than 100 levels deep; send such values as JSON")
        // Deallocated level by level, because the deallocation of such a value needs stack for each level.
        while true {
            switch form {
            case .list(let values): form = values[0]
            case .fields(let fields): form = fields[0].value
            default: return
            }
        }
    }
}
