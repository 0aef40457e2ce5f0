import ObjectMapping

private struct Holder {
    var value: JSON?
}

private let document: JSON = {
    do {
        return try JSON(
            #"""
            {"a": {"b": [{"c": 1, "d": "x"}, {"c": 2.5}, {"c": null, "d": ["e", "f"]}, null], "c": [3, 4, [5]]},
            "b": [1, 2, 2, 1.0], "c": [[1, 2], [2, 3], null], "d": [{"a": [{"b": 1}, {"b": 2}]}, {"a": [{"b": 3}]}],
            "e": null, "f": "text", "g": 12, "": {"": true}, "@count": 7, "a.b": {"c.d": 8}, "\\": 9,
            "h": ["z", "y", "\ud83d\ude00"], "i": []}
            """#)
    } catch { fatalError("\(error)") }
}()

/// A path's text is parsed as written, and the engine finds the same value as the tree.
func fuzzKeyPath(_ text: LentText) {
    let path = JSONKeyPath(String(decoding: text.bytes, as: UTF8.self))
    let mapping = Mapping(Holder.init) { Attribute(MappingSource(path), \.value) }
    // The tree finds no value where the engine would report an object of unknown keys.
    let options = MappingOptions(requiresMappedKey: false)
    guard path.mistake == nil else {
        expect((try? mapping.validate()) == nil, "a path with a mistake is mapped")
        expect((try? document.value(at: path)) == nil, "a path with a mistake is followed")
        return
    }
    let written = JSONKeyPath(path.components)
    expect(JSONKeyPath(written.description).components == path.components, "written path \(written)")
    if let keys = path.plainKeys { expect(JSONKeyPath(components: keys).components == path.components, "plain keys") }

    for payload in [document, .array([document, .null, 5]), .object(["x": document])] {
        let found = Result { () throws(MappingError) in try payload.value(at: path) }
        // An array is several elements for `map`, unless a rule reads the whole value.
        guard payload.object != nil else { continue }
        let mapped = Result { () throws(MappingError) in try mapping.map(payload.text, options: options) }
        switch (found, mapped) {
        case (.success(let value), .success(let holder)):
            expect(
                holder.value == (value?.isNull == true ? nil : value), "\(path): \(String(describing: holder.value))")
        case (.failure(let found), .failure(let mapped)):
            expect(found.issues.map(\.kind) == mapped.issues.map(\.kind), "\(found) and \(mapped)")
        case (.success, .failure(let error)): fatalError("only the engine: \(error)")
        case (.failure(let error), .success): fatalError("only the tree: \(error)")
        }
    }
}
