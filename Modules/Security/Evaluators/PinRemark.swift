internal import AirframeCore

/// The message about a failed pinning: the server's certificates and the pinned ones.
enum PinRemark {
    /// The maximum number of certificates in the message, which must stay readable.
    private static let most = 4

    static func certificates(shown: [Certificate], pinned: [Certificate]) -> String {
        sentence(shown.map(name), pinned.map(name))
    }

    static func keys(shown: [Certificate], pinned: [PublicKey]) -> String {
        sentence(shown.map { "\($0.publicKey.pin) of \($0.subject)" }, pinned.map(\.pin))
    }

    private static func name(_ certificate: Certificate) -> String {
        "\(certificate.subject) with SHA-256 \(certificate.fingerprint.prefix(16))…"
    }

    private static func sentence(_ shown: [String], _ pinned: [String]) -> String {
        "the server shows \(list(shown)); pinned are \(list(pinned))"
    }

    private static func list(_ entries: [String]) -> String {
        guard !entries.isEmpty else { return "none" }
        let more = entries.count > most ? ["\(entries.count - most) more"] : []
        return (entries.prefix(most) + more).joined(separator: ", ")
    }
}
