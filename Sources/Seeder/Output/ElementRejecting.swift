import ObjectMapping

/// Receives the elements that are not stored.
protocol ElementRejecting: AnyObject {
    func reject(_ element: @autoclosure () -> RejectRecord, for issues: [MappingIssue]) throws(SeedError)
}
