import Foundation
import RequestQueue
import Synchronization
import TestSupport

extension Fault {
    /// Boundaries that occur in the parts.
    static let boundaries: [Fault] = [
        Fault("F20", "the boundary occurs in a text") { trial in
            await trial.repeated { _ in
                let params = Params(makeBoundary: once("same"))
                let evil = "x\r\n--same\r\nContent-Disposition: form-data; name=\"evil\"\r\n\r\ninjected\r\n--same--"
                params.set(evil, for: "text")
                params.set("last", for: "last")
                trial.expect(params.boundary != "same", "the boundary did not change")
                await trial.sendForm(params, [FormPart("text", Data(evil.utf8)), FormPart("last", Data("last".utf8))])
            }
        },
        Fault("F20", "the next boundary occurs in data that was set before") { trial in
            await trial.repeated { _ in
                let params = Params(makeBoundary: once("first", "second"))
                let (one, two) = (Data("--second--".utf8), Data("\r\n--first\r\n".utf8))
                params.set(data: one, fileName: "1", for: "one")
                params.set(data: two, fileName: "2", for: "two")
                trial.expect(!["first", "second"].contains(params.boundary), "the boundary is \(params.boundary)")
                await trial.sendForm(
                    params, [FormPart("one", fileName: "1", one), FormPart("two", fileName: "2", two)])
            }
        },
        Fault("F20", "text that resembles a boundary") { trial in
            await trial.repeated { _ in
                let params = Params()
                let text = "\r\n--\(params.boundary.dropLast())\r\n--\r\n----\(params.boundary.dropFirst(1))--\r\n"
                params.set(text, for: "text")
                await trial.sendForm(params, [FormPart("text", Data(text.utf8))])
            }
        },
        Fault("F20", "boundaries are random", on: [.none], count: 10_000, quickCount: 1000) { trial in
            let all = Set((0..<trial.count).map { _ in Params().boundary })
            trial.expect(all.count == trial.count, "\(trial.count - all.count) occurred twice")
            // In 128 random bits as hexadecimal digits, each digit has every value.
            let digits = all.map { Array($0.utf8.suffix(32)) }
            for place in 0..<32 {
                trial.expect(Set(digits.map { $0[place] }).count == 16, "digit \(place) is not random")
            }
        },
    ]
}

/// A function that returns some boundaries in order, and then random ones.
private func once(_ boundaries: String...) -> @Sendable () -> String {
    let rest = Mutex(boundaries[...])
    return { rest.withLock { $0.popFirst() } ?? "other-\(UInt64.random(in: 0 ... .max))" }
}
