import AirframeSecurity
import Testing

/// A kind of server: its certificates, and the expected result.
struct Kind: Sendable, CustomTestStringConvertible {
    let name: String
    /// The verdict on the chain and the host.
    let verdict: Verdict
    /// Words that the refusal must have.
    var words: String = ""
    var host = "localhost"

    var testDescription: String { name }

    static let all = [
        Kind(name: "valid", verdict: .trusted),
        Kind(name: "rsa-leaf", verdict: .trusted),
        Kind(name: "ed25519-leaf", verdict: .trusted),
        Kind(name: "tangled", verdict: .trusted),
        Kind(name: "revocable", verdict: .trusted),
        Kind(name: "revoked", verdict: .trusted),
        Kind(name: "unlisted", verdict: .trusted),
        Kind(name: "must-staple", verdict: .trusted),
        Kind(name: "logged", verdict: .trusted),
        Kind(name: "constrained-within", verdict: .trusted),
        Kind(name: "wildcard", verdict: .trusted, host: "a.api.test"),
        Kind(name: "expired", verdict: .chain, words: "certificate has expired"),
        Kind(name: "not-yet-valid", verdict: .chain, words: "certificate is not yet valid"),
        Kind(name: "wrong-host", verdict: .host, words: "is for DNS:other.test, not for localhost"),
        Kind(name: "wildcard", verdict: .host, words: "DNS:*.api.test", host: "api.test"),
        Kind(name: "wildcard", verdict: .host, words: "DNS:*.api.test", host: "a.b.api.test"),
        Kind(name: "nameless", verdict: .host, words: "names no host", host: "nameless"),
        Kind(name: "untrusted", verdict: .chain, words: "issued by CN=Security Other Root"),
        Kind(name: "self-signed", verdict: .chain, words: "has signed itself"),
        Kind(name: "missing-intermediate", verdict: .chain, words: "issued by CN=Security Test Intermediate"),
        Kind(name: "incomplete-intermediate.der", verdict: .chain, words: "no trusted issuer has signed"),
        Kind(name: "wrong-purpose", verdict: .chain, words: "purpose"),
        Kind(name: "constrained-without", verdict: .chain, words: "permitted subtree violation"),
        Kind(name: "constrained-wildcard", verdict: .chain, words: "excluded subtree violation"),
        Kind(name: "weak-key", verdict: .chain, words: "too weak"),
        Kind(name: "weak-digest", verdict: .chain, words: "too weak"),
    ]
}
