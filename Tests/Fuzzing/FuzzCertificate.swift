import Foundation
import RequestQueue

/// What is given as a certificate, a key or a pin is taken or refused with words.
func fuzzCertificate(_ text: LentText) {
    let data = Data(text.bytes)
    do throws(RequestError) {
        let all = try Certificate.all(in: data)
        expect(!all.isEmpty, "no certificate")
        for certificate in all {
            // It is one for itself, and its pin is read as it is written.
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
