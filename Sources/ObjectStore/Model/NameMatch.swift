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
    /// The names of the file by their lowercase forms: SQLite ignores case.
    private let lowered: [String: String]

    /// - Parameters:
    ///   - new: The names of the model.
    ///   - old: The names of the file, with the former names that were applied already.
    init(_ new: [ModelName], in old: [ModelName]) {
        stored = Dictionary(old.map { ($0.name, $0.former) }, uniquingKeysWith: { first, _ in first })
        let current = Set(new.map(\.name))
        lowered = Dictionary(old.map { ($0.name.lowercased(), $0.name) }, uniquingKeysWith: { first, _ in first })
        for item in new {
            // A column whose name differs in case only is the same one.
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
                guard owner.lowercased() == name.lowercased(), let other = known[owner],
                    candidates(of: other).count == 1,
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
        for item in new {
            guard let source = sources[item.name], source.lowercased() == item.name.lowercased() else { continue }
            let used = Set(sources.values)
            let others = candidates(of: item).filter { !used.contains($0) }
            if !others.isEmpty { conflicts.append(Self.both([source] + others, become: item.name)) }
        }
        findCycles(new)
    }

    private static func both(_ names: [String], become name: String) -> String {
        "\(names.map { "'\($0)'" }.joined(separator: " and ")) of the file would both become '\(name)'"
    }

    /// Returns the name in the file that is equal, or differs in case only.
    private func storedName(_ name: String) -> String? { stored[name] == nil ? lowered[name.lowercased()] : name }

    /// The former names that the file has, and that were not applied already, as in the file.
    private func candidates(of item: ModelName) -> [String] {
        let applied = Set((storedName(item.name).flatMap { stored[$0] } ?? []).map { $0.lowercased() })
        var found: [String] = []
        for former in item.former where !applied.contains(former.lowercased()) {
            guard let name = storedName(former), name.lowercased() != item.name.lowercased(), !found.contains(name)
            else { continue }
            found.append(name)
        }
        return found
    }

    /// Names that were exchanged: the file has them all, before and afterwards.
    private mutating func findCycles(_ new: [ModelName]) {
        let current = Dictionary(new.map { ($0.name.lowercased(), $0.name) }, uniquingKeysWith: { first, _ in first })
        var next: [String: [String]] = [:]
        for item in new { next[item.name] = candidates(of: item).compactMap { current[$0.lowercased()] } }
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
