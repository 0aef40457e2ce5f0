import RequestQueue
import Testing

@Suite("Descriptions of errors and progress")
struct RequestErrorTests {
    @Test func `An error has the request, the kind, the progress and the cause`() throws {
        let url = try #require(URL(string: "http://ann:secret@h:8080/films?token=7#top"))
        let lost = RequestError(
            .connectionLost, "Broken pipe (curl 55)", method: .post, url: url, phase: .sending, bytesSent: 1_262_144)
        #expect(
            "\(lost)"
                == "POST http://h:8080/films?…: the connection was lost while sending (1,262,144 bytes sent, 0 received): Broken pipe (curl 55)"
        )
        #expect("\(Result<Int, RequestError>.failure(lost))" == "failure(\(lost))")
        #expect(lost.errorDescription == lost.description)
        let unknown = RequestError(
            .hostNotFound, "", method: .get, url: URL(string: "http://x.invalid"), phase: .connecting)
        #expect("\(unknown)" == "GET http://x.invalid: the host was not found while connecting")
        #expect("\(RequestError(.invalidMethod, "so"))" == "the method is invalid: so")
    }

    @Test(arguments: RequestError.Kind.allCases)
    func `Every kind has its own sentence`(_ kind: RequestError.Kind) {
        let others = RequestError.Kind.allCases.filter { $0 != kind }.map { "\(RequestError($0, ""))" }
        #expect(!others.contains("\(RequestError(kind, ""))"))
        #expect(RequestError(kind, "").isTimeout == "\(kind)".lowercased().contains("timedout"))
    }

    @Test func `Fractions stay between 0 and 1`() {
        #expect(RequestProgress(bytesSent: 1, bytesExpectedToSend: 4).fractionSent == 0.25)
        #expect(RequestProgress(bytesSent: 9, bytesExpectedToSend: 4).fractionCompleted == 1)
        #expect(RequestProgress(bytesSent: 9, bytesExpectedToSend: nil).fractionCompleted == 0)
        #expect(RequestProgress().fractionSent == 1)
        #expect(RequestProgress().fractionCompleted == 0)
        #expect(RequestProgress(bytesReceived: 3, bytesExpectedToReceive: 6).fractionCompleted == 0.5)
        #expect(RequestProgress(bytesReceived: 0, bytesExpectedToReceive: 0).fractionReceived == 1)
        #expect(RequestProgress.Part(name: "a", bytesSent: 1, bytesExpected: 2).fractionSent == 0.5)
    }
}
