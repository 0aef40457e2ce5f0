import Foundation
import RequestQueue

/// A certificate, key or pin is accepted or refused with a message.
func fuzzCertificate(_ text: LentText) {
    let data = Data(text.bytes)
    do throws(RequestError) {
        let all = try Certificate.all(in: data)
        expect(!all.isEmpty, "no certificate")
        for certificate in all {
            // It is its own pin, which is read as written.
            expect(try Certificate(certificate.der) == certificate, "the same bytes make another certificate")
            let pin = try PublicKeyPin(certificate.publicKeyPin.description)
            expect(pin == certificate.publicKeyPin, "the pin \(pin)")
        }
        _ = try ClientCertificate(certificate: data, key: data, password: "")
    } catch {
        expect(error.kind == .invalidTLSOptions && !error.cause.isEmpty, "\(error)")
        expect(!error.cause.contains("\n"), "a cause of two lines")
    }
    _ = try? ClientCertificate(pkcs12: data, password: "")
    _ = try? PublicKeyPin(String(decoding: data, as: UTF8.self))
}
