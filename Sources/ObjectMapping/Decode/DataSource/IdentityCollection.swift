/// The identities of the objects in a payload, collected before the objects are read, so that a data source reads all of
/// them with one query.
final class IdentityCollection {
    private var groups: [(kind: ObjectKind, keys: [ObjectKey])] = []

    func add(_ key: ObjectKey, of kind: ObjectKind) {
        if let index = groups.firstIndex(where: { $0.kind === kind }) {
            groups[index].keys.append(key)
        } else {
            groups.append((kind, [key]))
        }
    }

    /// Reads the objects from a data source.
    ///
    /// An error is ignored here: the lookup of each object throws it again, with a position.
    func prefetch(from source: any MappingDataSource) {
        if !groups.isEmpty { try? source.prefetch(groups) }
    }
}

extension DecodeRun {
    /// Lets the data source prefetch the objects that a payload refers to.
    ///
    /// - Parameter collect: Skips the payload.
    func prefetch(_ window: Window, _ collect: (inout PlanReader, IdentityCollection) -> Void) {
        guard let source = source?.source, source.findsAhead else { return }
        var reader = reader(window)
        let identities = IdentityCollection()
        collect(&reader, identities)
        identities.prefetch(from: source)
    }

    /// Lets the data source prefetch the objects that the elements of a collection refer to.
    ///
    /// - Parameter cursor: A cursor before the collection.
    func prefetch(_ cursor: ElementCursor, each list: ListBox?) {
        prefetch(cursor.window) { reader, identities in
            var cursor = cursor
            // Errors are reported when the elements are read.
            while let place = (try? cursor.next(&reader)) ?? nil {
                reader.context?.beginElement(of: cursor)
                guard let end = (list ?? objects).collect(identities, &reader, place) else { return }
                cursor.didRead(to: end)
            }
        }
    }
}

extension PlanReader {
    /// Skips an object and collects the identities of the objects in its members.
    mutating func collect(_ identities: IdentityCollection, _ start: Bytes, _ node: NodeRef) -> Bytes? {
        guard start.pointee == .openBrace, node.pointee.holdsIdentities else { return skip(start) }
        if node.pointee.keepsContext { openContext(start) }
        let fence = fence
        let end = members(start) { reader, key, count, place in
            let index = node.pointee.find(key, count)
            guard index >= 0, !place.isNull else { return reader.skip(place) }
            let entry = node.pointee.entries + index
            if entry.pointee.operation == .level, let child = entry.pointee.child {
                return reader.collect(identities, place, child)
            }
            return entry.collect(identities, &reader, place)
        }
        if end != nil, let valueEntry = node.pointee.valueEntry, hasStack(for: start) {
            _ = reading(start, fence) { reader, start in valueEntry.collect(identities, &reader, start) }
        }
        if node.pointee.keepsContext, end != nil { context?.close() }
        return end
    }
}

extension EntryRef {
    /// Skips a value and collects the identities of the objects in it.
    func collect(_ identities: IdentityCollection, _ reader: inout PlanReader, _ place: Bytes) -> Bytes? {
        pointee.box?.with { $0.collect(identities, &reader, place) } ?? reader.skip(place)
    }
}

extension Node {
    /// Whether the values of members can be, or contain, objects with identities.
    func mayHoldIdentities() -> Bool {
        if valueEntry?.pointee.box?.object.holdsIdentities == true { return true }
        return (0..<count).contains { index in
            let entry = (entries + index).pointee
            if entry.operation == .level { return entry.child?.pointee.mayHoldIdentities() ?? false }
            return entry.box?.object.holdsIdentities ?? false
        }
    }
}
