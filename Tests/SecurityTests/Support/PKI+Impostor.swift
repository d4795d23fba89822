import Foundation

extension PKI {
    /// Creates an authority with the name and the key identifier of the intermediate, and with another key.
    ///
    /// - Returns: The name of its certificate and key. `NAME.crl` is its list, which revokes `revocable`.
    ///   `NAME-other.crl` is a list of the real intermediate, without entries, for the certificates of another
    ///   distribution point.
    func makeImpostor() throws -> String {
        let name = "impostor-\(UUID().uuidString)"
        try run(
            """
            set -e
            mkdir \(name)
            : >\(name)/index
            echo 01 >\(name)/crlnumber
            export NAMES=DNS:none.test DATABASE=\(name)/index DIGEST=sha256 PLACE=http://files.test/none
            sed 's|^crlnumber.*|crlnumber = \(name)/crlnumber|' openssl.cnf >\(name)/cnf
            identifier=$(openssl x509 -in intermediate.pem -noout -ext subjectKeyIdentifier | sed -n '2s/ //gp')
            openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out \(name).key
            openssl req -x509 -config \(name)/cnf -days 2 -key \(name).key -subj '/CN=Security Test Intermediate' \\
                -addext basicConstraints=critical,CA:TRUE -addext keyUsage=critical,keyCertSign,cRLSign \\
                -addext "subjectKeyIdentifier=$identifier" -out \(name).pem
            ca() { openssl ca -config \(name)/cnf -cert "$1.pem" -keyfile "$1.key" "${@:2}"; }
            ca \(name) -revoke revocable-leaf.pem
            ca \(name) -gencrl -out \(name).crl
            : >\(name)/index
            printf '[elsewhere]\\nissuingDistributionPoint = critical, @place\\n' >>\(name)/cnf
            printf '[place]\\nfullname = URI:http://crl.test/other.crl\\n' >>\(name)/cnf
            ca intermediate -gencrl -crlexts elsewhere -out \(name)-other.crl
            """
        )
        return name
    }
}
