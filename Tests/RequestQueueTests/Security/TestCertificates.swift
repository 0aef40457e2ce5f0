#if os(Linux)
    import Foundation
    import RequestQueue
    import TestSupport

    /// Valid and invalid certificates of two authorities, created by the command `openssl`.
    struct TestCertificates: Sendable {
        static let shared: TestCertificates? = {
            do { return try TestCertificates() } catch {
                print("Certificates for tests cannot be made: \(error)")
                return nil
            }
        }()

        let folder: TemporaryDirectory

        func file(_ name: String) -> URL { folder.file(name) }

        func data(_ name: String) throws -> Data { try folder.data(of: name) }

        func certificate(_ name: String) throws -> Certificate { try Certificate(data("\(name).pem")) }

        func client(_ name: String) throws -> ClientCertificate {
            try ClientCertificate(certificate: file("\(name).pem"), key: file("\(name).key"))
        }

        /// Trust in the authority of the valid certificate.
        func trusting(_ name: String = "authority") throws -> TLSOptions {
            TLSOptions(authorities: .only([try certificate(name)]))
        }

        private init() throws {
            folder = try TemporaryDirectory()
            let result = try runShell(Self.script, directory: folder.url)
            guard result.status == 0 else { throw Failure(text: result.errors) }
        }

        struct Failure: Error { var text: String }

        private static let script = #"""
            set -e
            cat > authority.cnf <<'END'
            [ca]
            default_ca = c
            [c]
            database = index
            serial = serial
            new_certs_dir = .
            default_md = sha256
            policy = p
            unique_subject = no
            rand_serial = yes
            [p]
            commonName = supplied
            END
            : > index
            key() { openssl ecparam -name prime256v1 -genkey -noout -out "$1.key"; }
            authority() {
                key "$1"
                openssl req -x509 -new -key "$1.key" -subj "/CN=$1" -days 3650 -out "$1.pem" \
                    -addext basicConstraints=critical,CA:TRUE -addext keyUsage=critical,keyCertSign,cRLSign
            }
            # leaf NAME AUTHORITY HOSTS DATES…
            leaf() {
                name=$1 by=$2
                printf 'subjectAltName=%s\nbasicConstraints=CA:FALSE\n' "$3" > "$name.ext"
                shift 3
                key "$name"
                openssl req -new -key "$name.key" -subj "/CN=$name" -out "$name.csr"
                openssl ca -batch -notext -config authority.cnf -keyfile "$by.key" -cert "$by.pem" -in "$name.csr" \
                    -extfile "$name.ext" -out "$name.pem" "$@"
            }
            here=DNS:localhost,IP:127.0.0.1
            authority authority
            authority other
            leaf good authority $here -days 3650
            leaf expired authority $here -startdate 20200101000000Z -enddate 20200201000000Z
            leaf early authority $here -startdate 21200101000000Z -enddate 21210101000000Z
            leaf elsewhere authority DNS:elsewhere.invalid -days 3650
            leaf unknown other $here -days 3650
            leaf beneath good $here -days 3650
            cat good.pem >> beneath.pem
            leaf client authority DNS:client.invalid -days 3650
            leaf stranger other DNS:client.invalid -days 3650
            key selfsigned
            openssl req -x509 -new -key selfsigned.key -subj /CN=localhost -days 3650 -out selfsigned.pem \
                -addext subjectAltName=$here
            openssl ec -in client.key -aes256 -passout pass:secret -out client.old-encrypted.key
            openssl pkcs8 -topk8 -in client.key -passout pass:secret -out client.encrypted.key
            openssl pkcs12 -export -in client.pem -inkey client.key -passout pass:secret -out client.p12
            openssl x509 -in good.pem -outform DER -out good.der
            openssl x509 -in good.pem -pubkey -noout | openssl pkey -pubin -outform DER \
                | openssl dgst -sha256 -binary | base64 > good.pin
            printf 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok' > ok
            """#
    }
#endif
