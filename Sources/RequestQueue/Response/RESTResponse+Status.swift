extension RESTResponse {
    /// Whether the status is none of HTTP: below 100 or above 600.
    public var isInvalid: Bool { status < 100 || status > 600 }
    /// 1xx.
    public var isInformational: Bool { (100..<200).contains(status) }
    /// 2xx.
    public var isSuccessful: Bool { (200..<300).contains(status) }
    /// 3xx.
    public var isRedirection: Bool { (300..<400).contains(status) }
    /// 4xx.
    public var isClientError: Bool { (400..<500).contains(status) }
    /// 5xx.
    public var isServerError: Bool { (500..<600).contains(status) }
    /// 4xx or 5xx.
    public var isError: Bool { isClientError || isServerError }

    /// 200.
    public var isOK: Bool { status == 200 }
    /// 201.
    public var isCreated: Bool { status == 201 }
    /// 304.
    public var isNotModified: Bool { status == 304 }
    /// 401.
    public var isUnauthorized: Bool { status == 401 }
    /// 403.
    public var isForbidden: Bool { status == 403 }
    /// 404.
    public var isNotFound: Bool { status == 404 }
    /// 409.
    public var isConflict: Bool { status == 409 }
    /// 410.
    public var isGone: Bool { status == 410 }
    /// 422.
    public var isUnprocessableEntity: Bool { status == 422 }
    /// 503.
    public var isServiceUnavailable: Bool { status == 503 }
    /// A redirection to another place: 301, 302, 303, 307 or 308.
    public var isRedirect: Bool { [301, 302, 303, 307, 308].contains(status) }
    /// A status that promises nothing to read: 201, 204 or 304.
    public var isEmpty: Bool { [201, 204, 304].contains(status) }
}
