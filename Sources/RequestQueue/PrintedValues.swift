// Descriptions and mirrors of all types: without secrets, and without the values of bodies.

extension Cookie: CustomStringConvertible, CustomReflectable {
    /// Name, domain and path, without the value.
    public var description: String { "\(name)=\(redactionMark); domain=\(domain); path=\(path)" }

    /// The properties except for the value.
    public var customMirror: Mirror {
        mirror(["name": name, "domain": domain, "path": path, "expires": expires as Any])
    }
}

extension RESTRequest: CustomStringConvertible, CustomReflectable {
    /// Method and URL, without user, password and query.
    public var description: String { "\(method) \(url?.shown ?? "(no URL)")" }

    /// The identifying properties; URL and headers without secrets, no body.
    public var customMirror: Mirror {
        mirror([
            "method": method.rawValue, "url": url?.shown as Any, "headers": headers, "timeouts": settings.timeouts,
            "retryPolicy": settings.retryPolicy, "authentication": settings.authentication as Any, "tls": settings.tls,
            "tag": tag as Any,
        ])
    }
}

extension TransportRequest: CustomStringConvertible, CustomReflectable {
    /// Method and URL, without query.
    public var description: String { "\(method) \(url.shown)" }

    /// The request that is sent; URL and headers without secrets, the length of the body.
    public var customMirror: Mirror {
        mirror([
            "method": method.rawValue, "url": url.shown, "headers": headers, "bodyLength": body?.length as Any,
        ])
    }
}

extension RESTResponse: CustomReflectable {
    /// The identifying properties; URL and headers without secrets, the length of the body.
    public var customMirror: Mirror {
        mirror([
            "status": status, "url": url.shown, "headers": headers, "bodyLength": body.count,
            "redirects": redirects, "attempts": attempts, "isFromCache": isFromCache, "isRevalidated": isRevalidated,
        ])
    }
}

extension RESTStream: CustomStringConvertible, CustomReflectable {
    /// Status and URL without query.
    public var description: String { "\(status) from \(url.shown)" }

    /// The identifying properties; URL and headers without secrets.
    public var customMirror: Mirror {
        mirror([
            "status": status, "url": url.shown, "headers": headers, "redirects": redirects, "attempts": attempts,
        ])
    }
}

extension RequestError: CustomReflectable {
    /// The properties in the description; the URL is without user, password and query.
    public var customMirror: Mirror {
        mirror([
            "kind": kind.rawValue, "method": method?.rawValue as Any, "url": url?.shown as Any,
            "phase": phase.rawValue, "bytesSent": bytesSent, "bytesReceived": bytesReceived,
            "attempts": attempts, "cause": cause,
        ])
    }
}

extension TransportFailure: CustomStringConvertible, CustomReflectable {
    /// Kind and cause.
    public var description: String { "\(kind.rawValue): \(cause)" }

    /// Kind and cause, without the underlying error.
    public var customMirror: Mirror { mirror(["kind": kind.rawValue, "cause": cause]) }
}

extension Redirection: CustomReflectable {
    /// The description.
    public var customMirror: Mirror { mirror(["description": description]) }
}

extension RESTClient: CustomStringConvertible, CustomReflectable {
    /// The base URL, without user, password and query.
    public var description: String { "client of \(baseURL.shown)" }

    /// The base URL, without user, password and query.
    public var customMirror: Mirror { mirror(["baseURL": baseURL.shown]) }
}

extension QueuedRequest: CustomReflectable {
    /// Identifier, state and request, without secrets.
    public var customMirror: Mirror {
        mirror(["id": id, "state": state.rawValue, "request": request])
    }
}
