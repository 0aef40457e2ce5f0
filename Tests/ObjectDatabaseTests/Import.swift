import ObjectMapping
import Testing

extension Stored {
    /// Reads the elements of a payload into a context.
    @discardableResult static func `import`(
        _ payload: some JSONInput, _ context: Context, _ policy: MappingReport.Policy = .fail
    ) throws -> [Self] {
        try mapping.all(payload, context, policy)
    }
}

extension Mapping {
    /// Maps models of a payload into a context.
    @discardableResult func all(
        _ payload: some JSONInput, _ context: Context, _ policy: MappingReport.Policy = .fail
    ) throws(MappingError) -> [Model] {
        var report = MappingReport(policy: policy)
        return try mapAll(payload, dataSource: context, parallel: nil, report: &report)
    }
}

/// The descriptions of the issues that a piece of code throws, one per line; "" if it throws nothing.
func issues(_ body: () throws -> Void) -> String {
    do {
        try body()
        return ""
    } catch {
        return "\(error)"
    }
}
