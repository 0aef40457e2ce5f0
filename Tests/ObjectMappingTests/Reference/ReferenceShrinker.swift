import ObjectMapping

/// Reduces a failing case as long as it fails.
struct ReferenceShrinker {
    /// How a case fails; nil if it does not.
    let failure: (ReferenceCase) -> String?
    private var attempts = 0

    init(_ failure: @escaping (ReferenceCase) -> String?) { self.failure = failure }

    mutating func shrunk(_ start: ReferenceCase) -> ReferenceCase {
        var best = start
        searching: while true {
            for candidate in mappings(of: best) + documents(of: best) {
                attempts += 1
                if attempts > 5000 { return best }
                if failure(candidate) != nil {
                    best = candidate
                    continue searching
                }
            }
            return best
        }
    }

    /// The cases with one rule less, or a simpler one.
    private func mappings(of start: ReferenceCase) -> [ReferenceCase] {
        start.mappings.indices.flatMap { index in
            start.mappings[index].rules.indices.flatMap { number -> [ReferenceCase] in
                // A join is removed with its parts.
                let isPart = start.mappings[index].joins.contains {
                    $0.parts.contains(start.mappings[index].rules[number].destination)
                }
                var without = start
                without.mappings[index].rules.remove(at: number)
                if isPart {
                    let parts = start.mappings[index].joins.flatMap(\.parts)
                    without.mappings[index].joins = []
                    without.mappings[index].rules = start.mappings[index].rules.filter {
                        !parts.contains($0.destination)
                    }
                }
                var cases = [without]
                if start.mappings[index].rules[number].isRequired || start.mappings[index].rules[number].isWanted {
                    var free = start
                    free.mappings[index].rules[number].isRequired = false
                    free.mappings[index].rules[number].isWanted = false
                    cases.append(free)
                }
                let path = start.mappings[index].rules[number].source.components
                for place in path.indices where path.count > 1 {
                    var shorter = start
                    var rest = path
                    rest.remove(at: place)
                    shorter.mappings[index].rules[number].source = JSONKeyPath(rest)
                    let old = start.mappings[index].rules[number]
                    if case .column(_, nil) = start.mappings[index].model.properties[old.destination].type {
                        shorter.mappings[index].rules[number].isRequired =
                            old.isWanted && JSONKeyPath(rest).plainKeys != nil
                    }
                    cases.append(shorter)
                }
                return cases
            }
        }
    }

    /// The cases with a part of the document less.
    private func documents(of start: ReferenceCase) -> [ReferenceCase] {
        let bytes = start.document
        let texts: [[UInt8]]
        if let tree = try? PlainReader.read(bytes) {
            texts = (tree.smaller.map { Array($0.text.utf8) } + [Array(tree.text.utf8)]).filter {
                $0.count < bytes.count
            }
        } else {
            let steps = [64, 16, 4, 1].filter { $0 <= bytes.count }
            texts = steps.flatMap { step in
                stride(from: 0, to: bytes.count, by: step).map {
                    Array(bytes[..<$0] + bytes[min($0 + step, bytes.count)...])
                }
            }
        }
        return texts.map { ReferenceCase(mappings: start.mappings, document: $0) }
    }
}

extension PlainNode {
    /// The values with one part less, or a simpler part.
    fileprivate var smaller: [PlainNode] {
        switch kind {
        case .array(let elements):
            let without = elements.indices.map { index in
                var rest = elements
                rest.remove(at: index)
                return PlainNode(kind: .array(rest))
            }
            let inside = elements.indices.flatMap { index in
                elements[index].smaller.map { smaller in
                    var changed = elements
                    changed[index] = smaller
                    return PlainNode(kind: .array(changed))
                }
            }
            return elements + without + inside
        case .object(let members):
            let without = members.indices.map { index in
                var rest = members
                rest.remove(at: index)
                return PlainNode(kind: .object(rest))
            }
            let inside = members.indices.flatMap { index in
                members[index].value.smaller.map { smaller in
                    var changed = members
                    changed[index].value = smaller
                    return PlainNode(kind: .object(changed))
                }
            }
            return without + inside
        case .string(let text) where !text.isEmpty:
            return [PlainNode(kind: .string("")), PlainNode(kind: .string(String(text.dropLast())))]
        case .number(let text) where text != "0": return [PlainNode(kind: .number("0"))]
        default: return []
        }
    }
}
