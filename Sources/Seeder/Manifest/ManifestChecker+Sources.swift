import ObjectMapping

extension ManifestChecker {
    func checkSources() {
        for (index, source) in sources.enumerated() {
            if let (name, node) = source.entity, entity(name) == nil, !entities.isEmpty {
                node.fail("unknown entity '\(name)'" + suggestion(name, among: entities.map(\.name)))
            }
            guard let file = source.file else { continue }
            for (other, earlier) in sources[..<index].enumerated() where earlier.file?.name == file.name {
                if file.name == "-" {
                    file.node.fail("standard input can be one source only; it is that of sources[\(other)] already")
                } else if earlier.entity?.name == source.entity?.name,
                    earlier.keyPath.description.utf8.elementsEqual(source.keyPath.description.utf8),
                    earlier.shape == source.shape
                {
                    source.node.fail("is the same as sources[\(other)]")
                }
            }
        }
        if let wrapped = sources.first(where: { $0.entity == nil }) { checkElementNames(for: wrapped) }
        checkMemberNames()
    }

    private func checkElementNames(for source: SourceDraft) {
        var owners: [String: String] = [:]
        for entity in entities {
            for name in entity.elementNames {
                guard let other = owners.updateValue(entity.name, forKey: name), other != entity.name else { continue }
                entity.node.fail("'\(name)' wraps an element of \(other) already; give one of them an 'elementName'")
            }
        }
    }

    /// Names of members are known only where a source's elements are members.
    private func checkMemberNames() {
        for entity in entities {
            guard let attribute = entity.attributes.first(where: \.isMemberName) else { continue }
            if !sources.contains(where: { $0.entity?.name == entity.name && $0.shape == .member }) {
                attribute.node.fail("'@key' needs a source of \(entity.name) with \"each\": \"member\"")
            }
        }
    }
}
