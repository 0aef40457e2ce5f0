/// A name of a model with its earlier ones.
struct ModelName {
    let name: String
    let former: [String]
}

/// Which names of a model are those of a file: by their current names, or by former ones.
struct NameMatch {
    /// The name in the file, by the name in the model.
    private(set) var sources: [String: String] = [:]
    /// The reasons why names cannot be matched.
    private(set) var conflicts: [String] = []

    private let stored: [String: [String]]

    /// - Parameters:
    ///   - new: The names of the model.
    ///   - old: The names of the file, with the former names that were applied already.
    init(_ new: [ModelName], in old: [ModelName]) {
        stored = Dictionary(old.map { ($0.name, $0.former) }, uniquingKeysWith: { first, _ in first })
        let current = Set(new.map(\.name))
        let lowered = Dictionary(old.map { ($0.name.lowercased(), $0.name) }, uniquingKeysWith: { first, _ in first })
        for item in new {
            // SQLite ignores case: a column whose name differs in case only is the same one.
            let similar = lowered[item.name.lowercased()].flatMap { current.contains($0) ? nil : $0 }
            sources[item.name] = stored[item.name] == nil ? similar : item.name
        }
        let known = Dictionary(new.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        var queue = new.filter { sources[$0.name] == nil }
        var displaced: Set<String> = []
        while !queue.isEmpty {
            let item = queue.removeFirst()
            let found = candidates(of: item)
            guard found.count < 2, let name = found.first else {
                if found.count > 1 { conflicts.append(Self.both(found, become: item.name)) }
                continue
            }
            if let owner = sources.first(where: { $0.value == name })?.key {
                guard owner == name, let other = known[owner], candidates(of: other).count == 1,
                    displaced.insert(owner).inserted
                else {
                    let names = [owner, item.name].sorted().map { "'\($0)'" }.joined(separator: " and ")
                    conflicts.append("'\(name)' of the file would become both \(names)")
                    continue
                }
                // It was renamed as well.
                sources[owner] = nil
                queue.append(other)
            }
            sources[item.name] = name
        }
        for item in new where sources[item.name] == item.name {
            let used = Set(sources.values)
            let others = candidates(of: item).filter { !used.contains($0) }
            if !others.isEmpty { conflicts.append(Self.both([item.name] + others, become: item.name)) }
        }
        findCycles(new)
    }

    private static func both(_ names: [String], become name: String) -> String {
        "\(names.map { "'\($0)'" }.joined(separator: " and ")) of the file would both become '\(name)'"
    }

    /// The former names that the file has, and that were not applied already.
    private func candidates(of item: ModelName) -> [String] {
        let applied = stored[item.name] ?? []
        return item.former.filter { $0 != item.name && stored[$0] != nil && !applied.contains($0) }
    }

    /// Names that were exchanged: the file has them all, before and afterwards.
    private mutating func findCycles(_ new: [ModelName]) {
        let current = Set(new.map(\.name))
        var next: [String: [String]] = [:]
        for item in new { next[item.name] = candidates(of: item).filter { current.contains($0) } }
        var reported: Set<String> = []
        for item in new where !reported.contains(item.name) {
            var (path, names) = ([item.name], next[item.name] ?? [])
            var seen: Set<String> = []
            while let name = names.popLast(), name != item.name {
                guard seen.insert(name).inserted else { continue }
                path.append(name)
                names += next[name] ?? []
                if next[name]?.contains(item.name) == true {
                    reported.formUnion(path)
                    let list = path.map { "'\($0)'" }.joined(separator: ", ")
                    conflicts.append("the former names of \(list) form a cycle")
                    break
                }
            }
        }
    }
}
