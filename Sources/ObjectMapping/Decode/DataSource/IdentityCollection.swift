/// The identities of the objects in a payload and of the targets of their connections, so that a data source can read all
/// of them at once, before the payload is decoded.
package struct IdentityRequest: Sendable {
    /// The keys of each kind; keys may occur repeatedly.
    package private(set) var groups: [(kind: ObjectKind, keys: [ObjectKey])] = []
    /// Whether closures select mappings, whose objects are not included.
    fileprivate(set) var isComplete = true

    package init() {}

    mutating func add(_ key: ObjectKey, of kind: ObjectKind) {
        if let index = groups.firstIndex(where: { $0.kind === kind }) {
            groups[index].keys.append(key)
        } else {
            groups.append((kind, [key]))
        }
    }

    /// Adds keys of a kind.
    package mutating func add(_ keys: [ObjectKey], of kind: ObjectKind) { for key in keys { add(key, of: kind) } }

    /// Lets a data source read the objects.
    ///
    /// An error is ignored here: the lookup of each object throws it again, with a position.
    func prefetch(from source: any MappingDataSource) {
        if !groups.isEmpty { try? source.prefetch(self) }
    }
}

/// Collects the identities in a payload while it is skipped.
final class IdentityCollection {
    // Exclusivity unchecked: a collection belongs to one thread and no access outlasts a call.
    @safe @exclusivity(unchecked) private(set) var request = IdentityRequest()
    /// The parts of compound keys in the current object, by the marks of their properties.
    @safe @exclusivity(unchecked) private var parts: [UInt64: ObjectKey] = [:]

    func add(_ key: ObjectKey, of kind: ObjectKind) { request.add(key, of: kind) }

    /// Records that the objects of a value are unknown.
    func skipObjects() { request.isComplete = false }

    /// Adds the targets of connections whose key, or a part of it, is the value of a property.
    func add(_ keys: [ObjectKey], of mark: UInt64, _ registration: Registration) {
        for group in registration.groups {
            for connection in group.connections where connection.marks & mark != 0 {
                if connection.rule.keys.count == 1 {
                    for key in keys { add(key, of: connection.target) }
                } else if let key = keys.first {
                    parts[mark] = key
                }
            }
        }
    }

    /// Collects the identities in an object.
    func inObject<Result>(_ registration: Registration, _ collect: () -> Result) -> Result {
        guard registration.hasCompoundConnections else { return collect() }
        let outer = parts
        parts = [:]
        defer { parts = outer }
        let result = collect()
        for group in registration.groups {
            for connection in group.connections where connection.rule.keys.count > 1 {
                let keys = connection.rule.keys.compactMap { registration.mark(of: $0.keyPath).flatMap { parts[$0] } }
                if keys.count == connection.rule.keys.count { add(.compound(keys), of: connection.target) }
            }
        }
        return result
    }
}

extension DecodeRun {
    /// Lets the data source read the objects that a payload refers to, unless they were requested before.
    ///
    /// - Parameter collect: Skips the payload.
    func prefetch(_ window: Window, _ collect: (inout PlanReader, IdentityCollection) -> Void) {
        guard let decode = source, decode.source.findsAhead else { return }
        let request = identities ?? request(window, collect)
        decode.hasAllKeys = request.isComplete
        request.prefetch(from: decode.source)
    }

    /// Lets the data source read the objects that the elements of a collection refer to.
    ///
    /// - Parameter cursor: A cursor before the collection.
    func prefetch(_ cursor: ElementCursor, each list: ListBox?) {
        prefetch(cursor.window) { reader, identities in collect(cursor, each: list, &reader, identities) }
    }

    /// Returns the identities in the elements of a collection.
    func request(_ cursor: ElementCursor, each list: ListBox?) -> IdentityRequest {
        request(cursor.window) { reader, identities in collect(cursor, each: list, &reader, identities) }
    }

    private func request(
        _ window: Window, _ collect: (inout PlanReader, IdentityCollection) -> Void
    ) -> IdentityRequest {
        var reader = reader(window)
        let identities = IdentityCollection()
        collect(&reader, identities)
        return identities.request
    }

    /// Collects the identities in the elements of a collection.
    func collect(
        _ cursor: ElementCursor, each list: ListBox?, _ reader: inout PlanReader, _ identities: IdentityCollection
    ) {
        var cursor = cursor
        // Errors are reported when the elements are read.
        while let place = (try? cursor.next(&reader)) ?? nil {
            reader.context?.beginElement(of: cursor)
            guard let end = (list ?? objects).collect(identities, &reader, place) else { return }
            cursor.didRead(to: end)
        }
    }
}

extension Mapping {
    /// Returns the identities in a collection; none for a payload that cannot be read.
    ///
    /// See `mapAll(_:at:each:in:options:parallel:report:)` for the parameters.
    package func identities(
        in payload: some JSONInput, at keyPath: JSONKeyPath = "", each shape: ElementShape = .element,
        options: MappingOptions = MappingOptions()
    ) -> IdentityRequest {
        payload.withJSONView { bytes in
            guard let run = try? run(MappingSession(), options), run.source != nil,
                (try? run.checkLength(bytes)) != nil,
                let cursor = try? run.cursor(Window(bytes, inOnePiece: shape == .line), at: keyPath, each: shape)
            else { return IdentityRequest() }
            return run.request(cursor, each: ModelMaker.list(run.objects, ElementType(Model.self)))
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
