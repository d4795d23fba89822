/// Decides whether to trust a server. Engines ask during the handshake, before they send any byte of a request.
///
/// The evaluation replaces the engine's own checks. Connections are shared only among requests whose evaluations have
/// equal keys, so a server that one evaluation trusted is never used under another.
public protocol TrustEvaluation: Sendable {
    /// The identity of the evaluation. Two evaluations with equal keys give the same answer for the same chain.
    var key: TrustKey { get }

    /// Whether the answer for a server can change over time, because pins are rotated, or certificates expire or are
    /// revoked. `true` by default.
    ///
    /// If it can, an engine does not resume a TLS session without a new answer: it asks about the chain of the
    /// session's first handshake, or performs a full handshake.
    var answerCanChange: Bool { get }

    /// Whether the evaluation authenticates the server; `false` for one that trusts every server. Policies for later
    /// connections (HSTS, RFC 6797 §8.1) are accepted only over authenticated ones.
    var authenticatesServer: Bool { get }

    /// Returns if the chain is trusted, and throws otherwise.
    ///
    /// - Parameters:
    ///   - chain: The certificates as the server sent them, its own first.
    ///   - host: The host that the request names, without brackets.
    ///   - port: The port.
    ///   - stapledOCSPResponse: The OCSP response that the server stapled (RFC 6066 §8), in DER.
    /// - Throws: Any error refuses the server. It becomes the underlying error of
    ///   ``TransportError/Code/trustRefused``.
    func evaluate(chain: [DER], host: String, port: Int, stapledOCSPResponse: DER?) async throws

    /// Returns if the server is trusted, and throws otherwise. Engines call this form; the default implementation calls
    /// the other one.
    ///
    /// - Parameter presentation: The server's evidence.
    /// - Throws: Any error refuses the server, as with the other form.
    func evaluate(_ presentation: ServerPresentation) async throws
}

extension TrustEvaluation {
    /// The answer can change.
    public var answerCanChange: Bool { true }

    /// `true`.
    public var authenticatesServer: Bool { true }

    /// Evaluates the chain, the host, the port and the stapled response.
    ///
    /// - Throws: The error of ``evaluate(chain:host:port:stapledOCSPResponse:)``, which refuses the server.
    public func evaluate(_ presentation: ServerPresentation) async throws {
        try await evaluate(
            chain: presentation.chain,
            host: presentation.host,
            port: presentation.port,
            stapledOCSPResponse: presentation.stapledOCSPResponse
        )
    }
}

/// The identity of a ``TrustEvaluation``, part of the key under which connections are kept.
public struct TrustKey: Sendable, Hashable {
    private enum Value: Sendable, Hashable {
        case text(String)
        case object(ObjectIdentifier)
        case equal(EqualValue)
    }

    private let value: Value
    // Retains the object, so that no other object can have its identity while connections carry the key.
    private let owner: (any Sendable)?

    /// Creates a key for evaluations that a string describes completely.
    public init(_ text: String) {
        value = .text(text)
        owner = nil
    }

    /// Creates a key for the evaluations of `object` alone.
    public init(_ object: any AnyObject & Sendable) {
        value = .object(ObjectIdentifier(object))
        owner = object
    }

    /// Creates a key for the evaluations of `judge`: by the identity of an object, by the value of a hashable value.
    /// Other values cannot be compared, so each key made from one is unique.
    public init(judge: any Sendable) {
        if type(of: judge) is AnyClass {
            value = .object(ObjectIdentifier(judge as AnyObject))
            owner = judge
        } else if let equal = EqualValue(judge) {
            value = .equal(equal)
            owner = nil
        } else {
            let unshared = Unshared()
            value = .object(ObjectIdentifier(unshared))
            owner = unshared
        }
    }

    private final class Unshared: Sendable {}

    /// Returns whether two keys identify the same evaluation.
    public static func == (left: TrustKey, right: TrustKey) -> Bool { left.value == right.value }

    /// Hashes the key's identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(value) }
}

/// A type-erased hashable value that is `Sendable`, unlike `AnyHashable`.
private struct EqualValue: Sendable, Hashable {
    private let value: any Sendable

    init?(_ value: any Sendable) {
        guard value is any Hashable else { return nil }
        self.value = value
    }

    private var hashable: AnyHashable? { (value as? any Hashable).map { AnyHashable($0) } }

    static func == (left: EqualValue, right: EqualValue) -> Bool { left.hashable == right.hashable }

    func hash(into hasher: inout Hasher) { hasher.combine(hashable) }
}

/// A trust evaluation made from a closure. Each instance has a unique key.
public final class ClosureTrustEvaluation: TrustEvaluation {
    /// The chain, its own certificate first; the host; the port; the stapled OCSP response.
    public typealias Evaluate = @Sendable ([DER], String, Int, DER?) async throws -> Void

    private let closure: Evaluate

    /// Creates an evaluation from `evaluate`, which refuses the server by throwing.
    public init(_ evaluate: @escaping Evaluate) { closure = evaluate }

    /// The instance's identity.
    public var key: TrustKey { TrustKey(self) }

    /// Calls the closure.
    ///
    /// - Parameters:
    ///   - chain: The certificates as the server sent them, its own first.
    ///   - host: The host that the request names, without brackets.
    ///   - port: The port.
    ///   - stapledOCSPResponse: The OCSP response that the server stapled (RFC 6066 §8), in DER; `nil` for none.
    /// - Throws: The error of the closure, which refuses the server.
    public func evaluate(chain: [DER], host: String, port: Int, stapledOCSPResponse: DER?) async throws {
        try await closure(chain, host, port, stapledOCSPResponse)
    }
}
