/// A certificate and its private key, presented to a server that requests client authentication (RFC 8446 §4.4.2).
public struct ClientIdentity: Sendable, Hashable {
    /// The client's certificate, then the intermediates that lead to the root that the server trusts.
    public let chain: [DER]

    /// The private key in DER: PKCS #8 (RFC 5958), or the key type's own form.
    public let privateKey: DER

    /// Creates an identity from a chain and its key. The pair is checked on first use.
    public init(chain: [DER], privateKey: DER) {
        self.chain = chain
        self.privateKey = privateKey
    }
}

extension ClientIdentity: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The length of the chain; the key is left out.
    public var description: String { "ClientIdentity (\(chain.count) certificates, key hidden)" }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// The chain; the key is left out, so that `dump` shows none.
    public var customMirror: Mirror { Mirror(self, children: ["chain": chain]) }
}
