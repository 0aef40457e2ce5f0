/// Reads the requests of one connection and answers them, one after the other; it lives on a thread of its own.
final class Connection {
    let number: Int
    let core: ServerCore
    let socket: Int32
    let input: InputBuffer
    /// Kept, so that small answers need no memory.
    private var output: [UInt8] = []

    init(_ socket: Int32, number: Int, of core: ServerCore) {
        self.socket = socket
        self.number = number
        self.core = core
        input = InputBuffer(socket: socket)
    }

    /// Serves until one of both ends it.
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

    /// Sends an answer in one piece.
    func send(_ answer: Answer, isHead: Bool, option: Header?) throws {
        output.removeAll(keepingCapacity: true)
        answer.write(to: &output, isHead: isHead, connection: option)
        try send(output)
        if output.capacity > 1 << 20 { output = [] }
    }

    /// Says that nothing more is sent and reads until the peer closes: closed at once, its answer could be lost.
    func linger() {
        shutdown(socket, Int32(SHUT_WR))
        limitReceiving(of: socket, toSeconds: 5)
        repeat { input.consume(input.unread.count) } while input.fill()
    }

    /// Answers a request; false if the connection ends with it.
    private func serve(_ request: Request) throws -> Bool {
        // Whatever happens, the record tells how much came of the body.
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
