import Synchronization

extension RemoteObjects {
    /// The objects of one response.
    init(of reply: Reply) { self.init(pages: [reply]) }

    /// The objects of the pages of a list.
    init(pages: [Reply]) {
        let hasDefect = Mutex(false)
        self.init(
            load: { context in
                try pages.flatMap { page in
                    do {
                        let models = try page.map(into: context)
                        if page.defect(models) != nil { hasDefect.withLock { $0 = true } }
                        return page.managedObjects(models)
                    } catch { throw page.failure(error) }
                }
            },
            update: { object, context in
                guard let page = pages.first else { return }
                do { _ = try context.map(page, onto: object) } catch { throw page.failure(error) }
            })
        let rows = pages.compactMap { $0.responseDefect == nil ? $0.rowContent : nil }
        if rows.count == pages.count { self.rows = rows }
        self.hasDefect = { hasDefect.withLock { $0 } }
    }
}

extension RemoteError {
    /// An error of a request that has no outcome which the store knows.
    init(_ error: MappedRequestError) {
        let kind: Kind =
            switch error.response?.status ?? 0 {
            case 0: error.requestError?.wasNotSent == true ? .unavailable : .noAnswer
            case 500..<600: .noAnswer
            case 200..<300: .invalidResult
            default: .refused
            }
        self.init(kind, "\(error)", underlying: error)
    }
}

extension RequestError {
    /// Whether the server cannot have received the request.
    var wasNotSent: Bool { attempts <= 1 && (phase == .preparing || phase == .connecting) }
}

extension RemoteRefusal {
    /// The messages by attribute in the body of a response: `{"errors": {"name": ["is taken"]}}`, `{"name": […]}` or
    /// `{"errors": ["Name is taken"]}`.
    ///
    /// - Parameter properties: The names of the attributes by the keys of members. Other names are those of members.
    init(_ error: MappedRequestError, _ properties: [String: String]) {
        self.init(error.serverMessage ?? error.response?.summary ?? "\(error)")
        guard let response = error.response,
            let body = try? ResponseReader(response).read({ (body) throws(MappingError) in try body.json })
        else { return }
        let errors = body["errors"].isNull ? body : body["errors"]
        func name(_ key: String) -> String { properties[key] ?? (key == "base" ? "" : key) }
        for member in errors.object ?? [:] {
            let messages = member.value.array?.compactMap(\.string) ?? [member.value.string].compactMap(\.self)
            if !messages.isEmpty { self.errors[name(member.key), default: []] += messages }
        }
        let messages = errors.array?.compactMap(\.string) ?? []
        if !messages.isEmpty { self.errors[""] = messages }
        let all = self.errors.sorted { $0.key < $1.key }.flatMap { entry in
            entry.value.map { entry.key.isEmpty ? $0 : "\(entry.key) \($0)" }
        }
        if !all.isEmpty { message = all.joined(separator: ", ") }
    }
}
