import Foundation
import RequestQueue

extension Fault {
    /// Invalid certificates, keys other than the pinned ones, and unknown clients.
    static let tls: [Fault] = [
        getting("a valid certificate", .success) { try $0.trusting() },
        getting("an expired certificate", .failure([.serverCertificateHasBadDate]), port: "https_expired") {
            try $0.trusting()
        },
        getting("a self-signed certificate", .failure([.serverCertificateSelfSigned]), port: "https_selfsigned") {
            try $0.trusting()
        },
        getting("a certificate for another host", .failure([.serverCertificateForOtherHost]), port: "https_wronghost") {
            try $0.trusting()
        },
        getting("an unknown authority", .failure([.serverCertificateUntrusted])) { _ in TLSOptions() },
        getting("a pinned key", .success) { try $0.trusting(pin: "good") },
        getting("a key that is not pinned", .failure([.serverPublicKeyNotPinned])) {
            try $0.trusting(pin: "client")
        },
        // In TLS 1.3 the refusal races with the request: many runs.
        getting("no client certificate", .failure([.clientCertificateRejected]), port: "https_mtls", count: 400) {
            try $0.trusting()
        },
        getting("a client certificate", .success, port: "https_mtls") { try $0.trusting(client: "client") },
        getting(
            "a client certificate of an unknown authority", .failure([.clientCertificateRejected]), port: "https_mtls",
            count: 400
        ) { try $0.trusting(client: "selfsigned") },
        // The larger body is sent only on request of the server.
        refused(bodyOf: 500_000), refused(bodyOf: 1 << 20),
        getting("any certificate, insecurely", .success, port: "https_expired") { _ in
            TLSOptions(authorities: .insecurelyAcceptingAnyCertificate)
        },
        Fault("F22", "different options concurrently, over one transport", on: [.independent], count: 400) { trial in
            let certificates = try ServerCertificates(trial)
            let sound = try [
                certificates.trusting(), certificates.trusting(pin: "good"), certificates.trusting(client: "client"),
                TLSOptions(authorities: .insecurelyAcceptingAnyCertificate),
            ]
            let mispinned = try certificates.trusting(pin: "client")
            let url = try certificates.url("https", "/ok")
            await trial.repeated(atOnce: 16) { run in
                let tls = run % 5 < sound.count ? sound[run % 5] : run % 2 == 0 ? mispinned : TLSOptions()
                let outcome = await trial.send(.get, url) { $0.tls = tls }
                if run % 5 < sound.count {
                    outcome.expectResponse(200, body: #"{"ok":true}"#, in: trial)
                } else {
                    outcome.expectFailure(
                        [run % 2 == 0 ? .serverPublicKeyNotPinned : .serverCertificateUntrusted], in: trial)
                }
            }
        },
    ]

    private static func refused(bodyOf count: Int) -> Fault {
        Fault("F22", "\(count) bytes to a server that requires a client certificate", on: [.independent], count: 200) {
            trial in
            let certificates = try ServerCertificates(trial)
            let tls = try certificates.trusting()
            await trial.repeated { _ in
                let outcome = await trial.send(.post, try certificates.url("https_mtls", "/sink")) {
                    $0.tls = tls
                    $0.setBody(DataBody(Data(count: count)))
                }
                outcome.expectFailure([.clientCertificateRejected], in: trial)
            }
        }
    }

    private enum Expectation: Sendable { case success, failure(Set<RequestError.Kind>) }

    /// GETs of a TLS port, with options that depend on the server's certificates.
    private static func getting(
        _ name: String, _ expectation: Expectation, port: String = "https", count: Int = 20,
        _ options: @escaping @Sendable (ServerCertificates) throws -> TLSOptions
    ) -> Fault {
        Fault("F22", name, on: [.independent], count: count) { trial in
            let certificates = try ServerCertificates(trial)
            let tls = try options(certificates)
            await trial.repeated { _ in
                let outcome = await trial.send(.get, try certificates.url(port, "/ok")) { $0.tls = tls }
                switch expectation {
                case .success: outcome.expectResponse(200, body: #"{"ok":true}"#, in: trial)
                case .failure(let kinds): outcome.expectFailure(kinds, in: trial)
                }
            }
        }
    }
}

/// The TLS ports, and the certificates that the server made for them.
private struct ServerCertificates: Sendable {
    private let server: ChildServer

    init(_ trial: Trial) throws {
        guard let server = trial.servers.independent, !server.portsOfTLS.isEmpty else {
            throw ServerError("a server without TLS")
        }
        self.server = server
    }

    func url(_ port: String, _ path: String) throws -> String {
        guard let number = server.portsOfTLS[port] else { throw ServerError("the server has no port \(port)") }
        return "https://localhost:\(number)\(path)"
    }

    func trusting(pin: String? = nil, client: String? = nil) throws -> TLSOptions {
        var options = TLSOptions(authorities: .only([try certificate("ca")]))
        if let pin { options.pinnedPublicKeys = [try certificate(pin).publicKeyPin] }
        if let client {
            options.clientCertificate = try ClientCertificate(
                certificate: file("\(client).pem"), key: file("\(client).key"))
        }
        return options
    }

    private func certificate(_ name: String) throws -> Certificate {
        try Certificate(Data(contentsOf: file("\(name).pem")))
    }

    private func file(_ name: String) -> URL { server.file("certificates/\(name)") }
}
