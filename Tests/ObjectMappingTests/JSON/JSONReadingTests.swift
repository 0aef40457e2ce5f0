import ObjectMapping
import Testing

struct JSONReadingTests {
    @Test func `A document is read into values that chains of subscripts reach`() throws {
        let text = #"{"a": {"b": ["x\n\u00e9\ud83d\ude00", -12, 1.50, true, null]}}"#
        let json = try JSON(text)
        #expect(json["a"]["b"][0].string == "x\né😀")
        #expect(json["a"]["b"][1].int == -12)
        #expect(json["a"]["b"][2].double == 1.5)
        #expect(json["a"]["b"][3].bool == true)
        #expect(json["a"]["b"][4].isNull)
        #expect(json["a"]["b"][5].exists == false)
        #expect(json["a"]["c"]["d"][7].string == nil)
        #expect(json.text == #"{"a":{"b":["x\né😀",-12,1.50,true,null]}}"#)
    }
}
