/// The rows that a save has written.
struct SaveOutcome: Sendable {
    /// The row of each inserted object.
    var rows = InsertedRows()
    /// The temporary rows of objects that took over an existing row.
    var adopted: Set<Int64> = []
    /// The rows that delete rules deleted although the context did not delete them: others added them.
    var cascaded: [Int: Set<Int64>] = [:]
    /// The identities of the deleted rows, by entity; empty unless responses are awaited.
    var deletedIdentities: [Int: [[StoredValue]]] = [:]
    /// Rows with other values than their objects: those of others that were kept, also as the owners of lists, cleared
    /// inverses, targets of links that were not written, and replaced members of lists.
    var merged: [ChangeSet.RowID] = []
    /// Rows and lists that were written in order to connect others.
    var touched = CommitChanges()
    /// The copy of an object that was sent; `nil` for the changes of a context.
    var copy: SavedCopy?
    /// Whether a hook has deleted that copy.
    var isCopyDeleted = false
    /// The copies of objects that were sent with it, by their rows, which are temporary for new ones.
    var children: [ChangeSet.RowID: SavedCopy] = [:]
    /// What was written in order to connect rows that waited for a saved one.
    var arrivals = CommitChanges()
    /// Relationships that were connected because a target was saved.
    var connected: [ConnectionUpdate.Connected] = []
}

/// The rows of new objects by temporary row.
///
/// Temporary rows decrease in the order of insertion, so that hashing is not necessary.
struct InsertedRows: Sendable {
    private var temporaries: [Int64] = []
    private var rows: [Int64] = []

    subscript(temporary: Int64) -> Int64? {
        get {
            let place = place(of: temporary)
            return place < temporaries.count && temporaries[place] == temporary ? rows[place] : nil
        }
        set {
            guard let newValue else { return }
            let place = place(of: temporary)
            if place < temporaries.count, temporaries[place] == temporary {
                rows[place] = newValue
            } else {
                temporaries.insert(temporary, at: place)
                rows.insert(newValue, at: place)
            }
        }
    }

    /// Returns the index of a temporary row, or the index for it.
    private func place(of temporary: Int64) -> Int {
        guard let first = temporaries.first, let last = temporaries.last, temporary >= last else {
            return temporaries.count
        }
        // There are gaps only if several contexts inserted objects concurrently.
        let guess = Int(truncatingIfNeeded: first &- temporary)
        if temporaries.indices.contains(guess), temporaries[guess] == temporary { return guess }
        var (low, high) = (0, temporaries.count)
        while low < high {
            let middle = (low + high) / 2
            if temporaries[middle] > temporary { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
