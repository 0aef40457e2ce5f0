import ObjectMapping

/// The result of a reader for a text: a value, or the position of a syntax error; other issues are ignored.
private func syntax(_ body: () throws -> Void) -> MappingIssue? {
    do { try body() } catch let error as MappingError {
        expect(!error.issues.isEmpty, "an error without issues")
        for issue in error.issues {
            expect(!issue.description.isEmpty && issue.line >= 0 && issue.column >= 0, "an issue without a place")
        }
        return error.issues.first { $0.kind == .syntax }
    } catch {
        fatalError("\(error)")
    }
    return nil
}

/// All readers accept and refuse the same texts, at the same positions, and written values are read as equal.
func fuzzJSON(_ text: LentText) {
    var tree: JSON?
    let issue = syntax { tree = try JSON(text) }
    let walked = JSONTokenizer.firstIssue(in: ByteView(text.bytes))
    expect(issue == walked, "tree: \(String(describing: issue)), walker: \(String(describing: walked))")

    var models: [FuzzModel]?
    expect(syntax { models = try FuzzModel.mapping.mapAll(text) }.map(\.offset) == issue?.offset, "mapAll")
    expect(syntax { _ = try FuzzModel.mapping.map(text) }.map(\.offset) == issue?.offset, "map")
    var isEnded = false
    let atPath = syntax {
        do throws(MappingError) { _ = try FuzzModel.mapping.mapAll(text, at: "q.r") } catch {
            isEnded = error.issues.last?.kind == .manyElements
            throw error
        }
    }
    expect(isEnded || atPath?.offset == issue?.offset, "mapAll at a path")

    if let tree {
        let compact = tree.text
        var again: JSON?
        expect(syntax { again = try JSON(compact) } == nil, "written text is no JSON")
        expect(again == tree && again?.text == compact, "written and read")
        expect(syntax { again = try JSON(tree.prettyPrinted) } == nil && again == tree, "printed and read")
        // The tree has only the last value of a repeated key; the other ones have no effect in the text.
        expect((try? FuzzModel.mapping.mapAll(tree)) == models, "models of the tree differ from those of the text")
    }
    checkRows(text, issue)
}

private func checkRows(_ text: LentText, _ issue: MappingIssue?) {
    let hash = text.hash
    let path: JSONKeyPath = [("" as JSONKeyPath), "a", "q.r"][hash % 3]
    let entity = [0, 1, nil][hash / 3 % 3]
    for shape in [ElementShape.element, .member, .line] {
        let small = rows(text, path, shape, entity, window: 16 + hash / 9 % 40, chunk: 1 + hash % 7)
        let large = rows(text, path, shape, entity, window: 1 << 16, chunk: .max)
        expect(small == large, "windows differ: \(small) and \(large)")
        if shape != .line {
            let isRefused = large.last?.hasPrefix("syntax") == true
            // A repeated key of the path ends the reading at any position.
            let isEnded = large.last?.hasPrefix("manyElements") == true
            expect(
                isEnded || isRefused == (issue != nil), "rows: \(large.last ?? ""), tree: \(String(describing: issue))")
        }
    }
}

/// The elements as text, and the final error.
private func rows(
    _ text: LentText, _ path: JSONKeyPath, _ shape: ElementShape, _ entity: Int?, window: Int, chunk: Int
) -> [String] {
    var texts: [String] = []
    do {
        let reader = try RowReader(
            source: LentChunks(text, by: chunk), plan: FuzzModel.rows, entity: entity, at: path, shape: shape,
            windowSize: window)
        while true {
            do {
                guard let element = try reader.next() else { break }
                texts.append(rowText(element) + reader.position(of: element).offset.description)
            } catch let error as MappingError where shape == .line {
                texts.append(error.description)
                if reader.skipBadLine().isEmpty, texts.count > 10_000 { break }
            }
        }
    } catch let error as MappingError {
        // A skipped value that exceeds the window has only a position, no message and path.
        let syntax = error.issues.first { $0.kind == .syntax }
        texts.append(syntax.map { "syntax \($0.line):\($0.column)" } ?? "\(error.issues[0].kind) \(error)")
    } catch {
        fatalError("\(error)")
    }
    return texts
}

private func rowText(_ element: RowReader.Element) -> String {
    guard element.isSound else { return element.issues.map(\.description).joined(separator: "\n") }
    var text = ""
    for row in element.rows.rows {
        text += "\(row.entity) \(row.parent) \(row.relationship) \(row.offset):"
        guard row.entity >= 0 else { continue }
        for slot in 0..<(row.entity == 0 ? AttributeType.names.count + 5 : 2) {
            let slot = element.rows.slots[Int(row.firstSlot) + slot]
            switch slot.tag {
            case .absent, .null: text += " \(slot.tag)"
            case .integer: text += " \(slot.integer)"
            case .real: text += " \(slot.real)"
            case .text, .blob: text += " " + String(decoding: element.rows.bytes(of: slot), as: UTF8.self)
            }
        }
    }
    return text
}
