/// Reads the requests of one connection and responds in order, on its own thread.
final class Connection {
    let number: Int
    let core: ServerCore
    let socket: Int32
    let input: InputBuffer
    /// Reused, so that small responses allocate no memory.
    private var output: [UInt8] = []

    init(_ socket: Int32, number: Int, of core: ServerCore) {
        self.socket = socket
        self.number = number
        self.core = core
        input = InputBuffer(socket: socket)
    }

    /// Serves requests until the client or the server ends the connection.
    func run() {
        var isReset = false
        do {
            while let head = try RequestHead.read(from: input), try serve(Request(head, on: self)) {}
        } catch let mistake as Malformed {
            refuse(mistake, hasAnswered: false)
        } catch {
            isReset = (error as? ConnectionEnd) == .reset
        }
        core.close(number, socket, withReset: isReset)
        core.endThread()
    }

    func send(_ bytes: [UInt8]) throws {
        guard bytes.withUnsafeBytes({ sendAll($0, to: socket) }) else { throw ConnectionEnd.over }
    }

    /// Sends a response in one piece.
    func send(_ answer: Answer, isHead: Bool, option: Header?) throws {
        output.removeAll(keepingCapacity: true)
        answer.write(to: &output, isHead: isHead, connection: option)
        try send(output)
        if output.capacity > 1 << 20 { output = [] }
    }

    /// Ends sending and reads until the peer closes: after an immediate close the response could be lost.
    func linger() {
        shutdown(socket, Int32(SHUT_WR))
        limitReceiving(of: socket, toSeconds: 5)
        repeat { input.consume(input.unread.count) } while input.fill()
    }

    /// Responds to a request; false if the connection ends with it.
    private func serve(_ request: Request) throws -> Bool {
        // The record always has the number of received bytes of the body.
        defer { request.saveUnsavedRecord() }
        do {
            guard let answer = try request.rawAnswer ?? core.handler?(request) ?? Endpoints.answer(request) else {
                try request.readToEnd()
                return request.head.keepsAlive
            }
            return try request.send(answer)
        } catch let mistake as Malformed {
            refuse(mistake, hasAnswered: request.hasAnswered)
            return false
        } catch let end as ConnectionEnd {
            throw end
        } catch {
            var answer = Answer(500, json: ["error": .string("\(error)")])
            answer.isEarly = true
            answer.end = .close
            return try request.hasAnswered ? false : request.send(answer)
        }
    }

    private func refuse(_ mistake: Malformed, hasAnswered: Bool) {
        core.update { state in
            state.statistics.malformedRequests += 1
            state.statistics.malformations = state.statistics.malformations.suffix(99) + [mistake.reason]
        }
        guard !hasAnswered else { return }
        let answer = Answer(400, json: ["error": .string(mistake.reason)])
        try? send(answer, isHead: false, option: Header("Connection", "close"))
        linger()
    }
}
