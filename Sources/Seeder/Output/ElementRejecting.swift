/// What keeps the elements that are not stored.
protocol ElementRejecting: AnyObject {
    func reject(_ element: RejectRecord) throws(SeedError)
}
