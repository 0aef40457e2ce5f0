// Written by scripts/generate-resource-calls; do not edit.

extension BelongsTo {
    /// The record: from the attributes, from its ``ResourceRegistry``, or from the service; `nil` without an
    /// identifier; blocks the thread.
    ///
    /// The error is of kind `notFound` if the service does not have it.
    @available(*, noasync, message: "recordSync blocks the thread; use `await record`")
    public var recordSync: Element? {
        get throws(ResourceError) {
            if let embedded { return embedded }
            guard let id else { return nil }
            if let type = Element.self as? any RegisteredResource.Type,
                let known = type.registered(id, prefix: prefix) as? Element
            {
                return known
            }
            return try Element.recordKind.findSync(id, prefix, [:])
        }
    }
}
