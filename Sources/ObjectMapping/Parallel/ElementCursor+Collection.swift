extension ElementCursor {
    /// Whether the collection itself is open, not a lone element.
    var isInCollection: Bool { shape == .line || isInElements || memberKey != nil }

    /// Whether the collection that is open is that of another cursor.
    func isInSameCollection(as other: ElementCursor) -> Bool {
        isInCollection && steps.dropLast() == other.steps.dropLast()
    }
}
