/// The implementation of the property wrappers.
extension ManagedObject {
    /// Prepares reading a property of an object without direct access.
    @usableFromInline final func willRead(at offset: Int) {
        guard access == [.observed, .watched], let uncountedObserver else { return prepareRead(at: offset) }
        // The object holds its observer, and a read calls no code of users.
        uncountedObserver.use { $0.willRead(self, at: offset) }
    }

    /// Prepares reading a property of an object that may be a fault, or whose changes were not reported so far.
    ///
    /// Separate, so that other reads do not save the registers that it uses.
    @inline(never) private final func prepareRead(at offset: Int) {
        if access.contains(.probe) { return ClassProbe.noteRead(of: type(of: self), at: offset) }
        fireIfFault()
        guard access.contains(.observed), let core else { return }
        let observer = observer ?? ObjectObserver(core.entity(of: self).type.observed)
        self.observer = observer
        uncountedObserver = Uncounted(observer)
        access.insert(.watched)
        observer.willRead(self, at: offset)
    }

    /// Whether an attribute was assigned before and needs no further preparation.
    @inlinable @inline(__always) final func isChanged(at offset: Int) -> Bool {
        isDirectlyChanged && (state?.assigned.contains(offset) ?? false)
    }

    /// Whether changes only set the value.
    @inlinable @inline(__always) final var isDirectlyChanged: Bool { access.subtracting(.observed) == .direct }

    /// Prepares an object for a new value of an attribute.
    @usableFromInline final func willChange(at offset: Int) {
        // A new object in memory: nothing is reported, read or compared.
        if isDirectlyChanged, let state, state.assignDirectly(offset) { return }
        // First: an observer may save or roll back.
        willNotify(at: offset)
        fireIfFault()
        if access.contains(.saving) { core?.noteLateChange(of: self, at: offset) }
        // A watched object comes here with every assignment.
        if !(state?.assigned.contains(offset) ?? false) { noteAssignment(at: offset) }
    }

    /// Records that an attribute is assigned, with its earlier value.
    final func noteAssignment(at offset: Int) {
        guard !access.contains(.probe) else { return }
        if let state, state.phase == .inserted {
            _ = state.assign(offset)
            if state.isIndexed { core?.identityMayChange(of: self, state, at: offset) }
            return
        }
        guard let core else {
            if state == nil { state = ObjectState(.detached) }
            _ = state?.assign(offset)
            return logLostChange()
        }
        guard case .attribute(let index)? = core.property(of: self, at: offset) else { return }
        let attribute = core.entity(of: self).type.attributes[index]
        guard !attribute.isTransient else { return }
        let state = core.willChange(self)
        if state.isIndexed { core.identityMayChange(of: self, state, at: offset) }
        guard state.assign(offset) else { return }
        // Also those of a deleted object, which can be inserted again.
        state.bases.append(ObjectState.Base(attribute: index, value: attribute.storedValue(of: self) ?? .null))
    }

    /// Reports to observers that a property is about to change.
    @usableFromInline final func willNotify(at offset: Int) {
        guard access.contains(.watched), let observer else { return }
        guard observer.mayHaveObservers else {
            // Until a property is read again, changes need not be reported.
            access.remove(.watched)
            return
        }
        report(.imminent, at: offset, to: observer)
    }

    /// Reports to observers that a property has changed.
    @inlinable @inline(__always) final func didChange(at offset: Int) {
        // The condition of `isChanged`, so that the compiler checks it once.
        if !isDirectlyChanged { didNotify(at: offset) }
    }

    @usableFromInline final func didNotify(at offset: Int) {
        if access.contains(.watched), let observer { report(.completed, at: offset, to: observer) }
    }

    private final func report(_ change: ObjectObserver.Change, at offset: Int, to observer: ObjectObserver) {
        guard let core else { return observer.report(change, of: self, at: offset) }
        core.report(change, of: self, at: offset, to: observer)
    }

    /// Reads the values of a fault from the store.
    final func fireIfFault() {
        guard access.contains(.fault) else { return }
        core?.fire(self)
    }

    // MARK: Relationships

    /// Updates relationships with the changes of their inverses.
    @usableFromInline final func reconcile() { core?.reconcile() }

    /// Returns the object of a to-one relationship.
    ///
    /// - Parameter row: The row of the object, after ``reconcile()``.
    @usableFromInline final func target<Target: ManagedObject>(
        as type: Target.Type, row: Int64, at offset: Int
    ) -> Target? {
        guard let core else { return state?.detachedTargets[offset] as? Target }
        guard row != 0, case .relationship(let index)? = core.property(of: self, at: offset) else { return nil }
        return core.target(of: self, index, row: row) as? Target
    }

    @usableFromInline final func setTarget(_ target: ManagedObject?, at offset: Int) {
        if core == nil, state?.phase != .deleted, let target, let other = target.core { other.insert(self) }
        guard let core else {
            if state == nil { state = ObjectState(.detached) }
            state?.detachedTargets[offset] = target
            return logLostChange()
        }
        core.changing {
            fireIfFault()
            core.reconcile()
            guard case .relationship(let index)? = core.property(of: self, at: offset) else { return }
            core.setTarget(target, of: self, index)
            // The setter notifies the observers of this property.
            if core.isObserved {
                core.observation.notifications.removeAll { $0.object === self && $0.offset == offset }
            }
        }
    }

    /// Whether to-many relationships were changed and their inverses were not updated yet.
    @usableFromInline final var hasPendingLists: Bool { core?.dirty.lists.havePending ?? false }

    /// Whether the object belongs to no context.
    @usableFromInline final var isDetached: Bool { core == nil }

    /// Reads the objects of a to-many relationship unless they are in memory.
    @usableFromInline final func loadTargets(at offset: Int) {
        guard let core, !access.contains(.probe) else { return }
        core.reconcile()
        core.removeDeletedMembers()
        guard case .relationship(let index)? = core.property(of: self, at: offset) else { return }
        core.loadTargets(of: self, index)
    }

    /// Handles a change of the objects in a to-many relationship.
    ///
    /// - Parameter haveNew: Whether there are targets without a context. Their inverses are updated immediately,
    ///   because they cannot request it later.
    @usableFromInline final func didChangeTargets(at offset: Int, haveNew: Bool) {
        if let core {
            if core.dirty.lists.havePending, haveNew || core.isObserved && hasObservedInverse(at: offset) {
                core.reconcile()
            }
            if !core.isOpen { core.didChangeList(of: self) }
        } else {
            let state = state ?? ObjectState(.detached)
            self.state = state
            if !state.detachedLists.contains(offset) { state.detachedLists.append(offset) }
            logLostChange()
        }
        didChange(at: offset)
    }

    private final func hasObservedInverse(at offset: Int) -> Bool {
        guard let core, case .relationship(let index)? = core.property(of: self, at: offset) else { return false }
        return core.mayHaveObservers(ofInverseOf: index, of: self)
    }

    /// Prepares an object for other objects of a to-many relationship.
    @usableFromInline final func willChangeTargets(at offset: Int) {
        if access != .direct {
            willNotify(at: offset)
            fireIfFault()
        }
        guard let core, case .relationship(let index)? = core.property(of: self, at: offset) else { return }
        core.willChangeTargets(of: self, index)
    }
}
