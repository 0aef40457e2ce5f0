extension ListModel {
    /// Whether closures or the order of an answer change what the query finds.
    private var isTransformed: Bool {
        filter != nil || sort != nil || search?.isInStore == false || query == nil
    }

    /// Observes the current query.
    func restart() {
        guard let query = storeQuery, let context else {
            observed.stop()
            observed.forget()
            if context == nil { status.loadError = ListSource.noStore }
            show()
            status.isRead = true
            return
        }
        observed.start(query, in: context) { [weak self] step in self?.receive(step) ?? false }
    }

    /// Shows a step of the observation.
    ///
    /// - Returns: Whether the observation continues.
    private func receive(_ step: Result<QueryObserver<Object>.Step, StoreError>) -> Bool {
        switch step {
        case .success(.changed(let change)):
            observed.didFind(change)
            show(change)
            if !status.isRead { status.isRead = true }
            return true
        case .success(.unchanged):
            // A closure that has failed can succeed now.
            if status.showError != nil { show() }
            return true
        case .success(.ended): return false
        case .failure(let error):
            // The objects of a store that was closed or reset can belong to another user.
            if error.kind == .closed { clear() }
            status.showError = error
            status.isRead = true
            return false
        }
    }

    /// Shows the found objects by the current filter, sort and sections.
    ///
    /// - Parameter change: What the observation reported; `nil` if only the filter, sort or sections changed.
    func show(_ change: QueryChange<Object>? = nil) {
        // A closure that changes the list does not start another update inside of it.
        guard !observed.isUpdating else {
            if observed.isNotifying { observed.needsUpdate = true }
            return
        }
        update(change)
        while observed.needsUpdate {
            observed.needsUpdate = false
            update(nil)
        }
    }

    private func update(_ change: QueryChange<Object>?) {
        let written = change.map { change in change.updated.map { change.objects[$0] } } ?? []
        do {
            observed.isUpdating = true
            defer { observed.isUpdating = false }
            let count = observed.objects.count
            // Those that the context has deleted since are still in the last step.
            if change == nil {
                observed.objects.removeAll { $0.managed.context == nil || $0.managed.state == .deleted }
            }
            if observed.objects.count < count { observed.isShown = false }
            let isCurrent = observed.objects.count == count && observed.hasFound
            let objects = try arranged(observed.objects)
            let sections = try sectionName.map { try QueryChange<Object>.Section.sections(of: objects, by: $0) } ?? []
            let old = content
            let new: QueryChange<Object>
            if let change, !isTransformed, observed.written.isEmpty, observed.isShown || !status.isRead {
                new = change.with(sections)
            } else {
                let earlier = observed.written.isEmpty ? [] : objects.filter(observed.written.contains)
                new = QueryChange(
                    from: old.objects, to: objects, sections: sections, written: written + earlier,
                    isInitial: !status.isRead)
            }
            observed.didShow()
            observed.isShown = !isTransformed && isCurrent
            if status.showError != nil { status.showError = nil }
            guard new.isInitial || !new.isEmpty || sections != old.sections else { return }
            content = Content(objects: objects, sections: sections)
            observed.isNotifying = true
            defer { observed.isNotifying = false }
            onChange?(new)
        } catch {
            observed.isShown = false
            observed.noteWritten(written)
            status.showError = error
        }
    }

    /// Shows no objects.
    private func clear() {
        observed.forget()
        (loaded, paginator) = ([:], nil)
        (status.loadedAt, status.hasNextPage, status.objectCount) = (nil, false, nil)
        let old = content
        guard !old.objects.isEmpty else { return }
        content = Content()
        onChange?(
            QueryChange(
                from: old.objects, to: [], sections: [], written: [], isInitial: false))
    }

    /// Returns objects by search, filter and sort.
    private func arranged(_ found: [Object]) throws -> [Object] {
        var objects = found
        if query == nil {
            let places = objects.map { (place: loaded[$0.managed.id] ?? .max, object: $0) }
            objects = places.sorted { $0.place < $1.place }.map(\.object)
        }
        if let search { objects = try search.found(in: objects) }
        if let filter { objects = try objects.filter(filter) }
        if let sort { objects = try objects.sorted(by: sort) }
        return objects
    }
}
