extension ExchangeMachine {
    /// The settings of the request that decide its course.
    struct Rules: Hashable, Sendable {
        var timeouts = Timeouts()
        var retryPolicy = RetryPolicy.none
        var redirectLimit = 0
        var backgroundPolicy = BackgroundPolicy.none
        var hasAdapters = false
        var hasCache = false
        /// Whether a hop waits for credentials, or for the state of the network.
        var awaitsCredentials = true
        var isObserved = false
        /// Whether a queue decides when attempts begin.
        var isQueued = false
        /// Whether the body is read while it is received.
        var isStreamed = false
        /// A random number from 0 to 1, from which the delays of retries are computed.
        var chance = 0.0
    }

    /// What the request is doing.
    enum Stage: Hashable, Sendable {
        /// It is not started.
        case created
        /// It begins when the process enters the foreground.
        case suspended
        /// It is validated.
        case starting
        /// It waits for the outcome of an identical request.
        case joined
        case adapting
        case lookingUp
        /// It waits for credentials.
        case authorizing
        case transferring
        /// The request for the target of a redirect is created.
        case redirecting
        /// The body is opened for the next attempt.
        case reopening(Retry)
        case backingOff
        case awaitingTurn
        /// The body of the response is completed.
        case finishing
        /// The cache processes the response.
        case concluding
        /// The file of a download is flushed to the disk.
        case saving
        /// The file of a download is moved to its destination.
        case committing
        /// The outcome is decided.
        case ended
        case delivered
    }

    /// The properties of the request that decide whether it can be sent again.
    struct Message: Hashable, Sendable {
        var hasBody = false
        var isIdempotent = true
        /// Whether sending it has no effect on the server.
        var isSafe = true
    }

    /// The head of a response.
    struct Head: Hashable, Sendable {
        enum Offer: Hashable, Sendable {
            /// There are credentials for the challenge of the server.
            case credentials
            case redirect
        }

        var status: Int
        var hasBody = true
        /// The declared length of the body.
        var length: Int64?
        /// How the request can be sent again.
        var offer: Offer?
        /// The delay that the server requests.
        var retryAfter: Duration?
        var decision = RetryPolicy.Decision.standard
        var isBodySent = true
    }

    /// What has happened since the request began.
    struct Course: Hashable, Sendable {
        /// The number of attempts, without redirects.
        var attempts = 1
        var redirects = 0
        /// The number of challenges that were answered for the current URL.
        var answers = 0
        /// Whether the observer was notified that the request was sent.
        var isSentReported = false
    }

    /// The transfer of a request and its response.
    struct Transfer: Hashable, Sendable {
        var bytesSent: Int64 = 0
        var bytesReceived: Int64 = 0
        /// Whether the system has accepted the complete body.
        var isBodySent = false
        /// Whether the head was received and is not processed yet.
        var isReadingHead = false
        var head: Head?
        /// The reason for sending the request again after this transfer.
        var next: Next?
        /// The retry that begins if the body can be opened again.
        var reopening: Retry?
    }

    /// A running task.
    struct RunningTask: Hashable, Sendable {
        /// Whether its start has returned.
        var isStarted = false
        var isUnwanted = false
        /// The number of times that it has to be resumed after its start has returned.
        var resumes = 0
    }

    /// A reason for sending the request again.
    enum Next: Hashable, Sendable {
        case authorize
        case redirect
        case retry(Retry)
    }

    /// Another attempt.
    struct Retry: Hashable, Sendable {
        enum Reason: Hashable, Sendable {
            case status(Int)
            case failure(TransportFailure)
        }

        var reason: Reason
        var delay: Duration
        /// The instant at which it begins.
        var instant: Duration
    }

    /// The kinds of outcomes; their contents are outside of the machine.
    enum Ending: Hashable, Sendable {
        case response
        /// The outcome of the identical request.
        case joined
        case failure(TransportFailure)
    }

    enum Input: Hashable, Sendable {
        // From the caller and the application.
        case start
        case cancel
        /// The timeouts have to be checked.
        case check
        /// The queue permits the next attempt.
        case turn
        case enteredBackground, backgroundTimeExpired, enteredForeground

        // Ends of steps.
        case begun(Message, joins: Bool)
        case adapted(Message)
        case lookedUp(CacheRules.Use)
        case authorized
        case redirected(Message)
        case reopened(Bool)
        case alarm
        /// The body is complete; `isFile`: in a file that is not yet at its destination.
        case received(isFile: Bool)
        /// `isFinal` is `false` if a stored response was not confirmed.
        case concluded(isFinal: Bool)
        case saved
        case committed(TransportFailure?)
        /// A step failed, or the request cannot be continued.
        case failed(TransportFailure)

        // From tasks.
        /// The start of a task has returned.
        case started(Int)
        /// The transport waits for a connection, or no longer waits.
        case queued(Bool)
        case connected(isBodySent: Bool)
        case sent(Int64, isBodySent: Bool)
        case headBytes
        /// The head was received, and will be processed.
        case headReceived
        case head(Head)
        case bytes(Int64)
        /// The bytes were delivered; `isFull`: the transfer pauses.
        case consumed(isFull: Bool)
        /// The transfer can be resumed after a number of pauses.
        case resumed(Int)
        case bodyOpened, bodyWaits, bodyResumes
        case finished(TransportFailure?, isBodySent: Bool)
        case joinedSent
        case joinedEvent
        case joinedEnded

        /// An operation that delayed the delivery has ended.
        case released
    }
}
