/// Decides whether a server is the one that was meant. Asked during the handshake, before any byte of a request is
/// sent.
///
/// It is the only judge: the engine makes no check of its own beside it. Connections are shared only among requests
/// whose evaluations have equal keys, so that what one evaluation trusted is never used under another.
public protocol TrustEvaluation: Sendable {
    /// What the evaluation answers for. Two evaluations with equal keys give the same answer for the same chain.
    var key: TrustKey { get }

    /// Whether the answer for the same server can be another one later: pins are rotated, certificates expire or are
    /// revoked. `true` unless the evaluation says otherwise.
    ///
    /// While it can change, no TLS session is resumed without a new answer: an engine asks about the chain of the
    /// session's first handshake, or makes a full handshake.
    var answerCanChange: Bool { get }

    /// Whether the evaluation establishes which server answers; `false` for one that trusts every server. What a server
    /// says for later connections (HSTS, RFC 6797 §8.1) is learned only over authenticated ones.
    var authenticatesServer: Bool { get }

    /// Returns when the chain is to be trusted.
    ///
    /// - Parameters:
    ///   - chain: The certificates as the server sent them, its own first.
    ///   - host: The host that the request names, without brackets.
    ///   - port: The port.
    ///   - stapledOCSPResponse: The OCSP response that the server stapled (RFC 6066 §8), in DER.
    /// - Throws: Any error refuses the server. It is found beneath ``TransportError/Code/trustRefused``.
    func evaluate(chain: [DER], host: String, port: Int, stapledOCSPResponse: DER?) async throws

    /// Returns when the server is to be trusted. This is what engines ask; by itself it asks the other form.
    ///
    /// - Parameter presentation: All that the server showed.
    /// - Throws: Any error refuses the server, as with the other form.
    func evaluate(_ presentation: ServerPresentation) async throws
}

extension TrustEvaluation {
    /// The answer can change.
    public var answerCanChange: Bool { true }

    /// `true`.
    public var authenticatesServer: Bool { true }

    /// Asks by the chain, the host, the port and the stapled response.
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
    // Keeps the object alive, so that its identity cannot pass to another one while connections carry it.
    private let owner: (any Sendable)?

    /// A key for evaluations that are described in full by a text.
    public init(_ text: String) {
        value = .text(text)
        owner = nil
    }

    /// A key for the evaluations that `object` makes, and no others.
    public init(_ object: any AnyObject & Sendable) {
        value = .object(ObjectIdentifier(object))
        owner = object
    }

    /// A key for the evaluations that `judge` makes: an object is known by its identity, a hashable value by what it is
    /// equal to. Of other values nobody can say whether they are the same, so that each key made of one is new.
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

    /// Whether two keys stand for the same answers.
    public static func == (left: TrustKey, right: TrustKey) -> Bool { left.value == right.value }

    /// Hashes what the key stands for.
    public func hash(into hasher: inout Hasher) { hasher.combine(value) }
}

/// A hashable value that can be sent, which `AnyHashable` cannot.
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

/// A closure as a trust evaluation. Each has a key of its own.
public final class ClosureTrustEvaluation: TrustEvaluation {
    /// The chain, its own certificate first; the host; the port; the stapled OCSP response.
    public typealias Evaluate = @Sendable ([DER], String, Int, DER?) async throws -> Void

    private let closure: Evaluate

    /// Wraps `evaluate`, which refuses the server by throwing.
    public init(_ evaluate: @escaping Evaluate) { closure = evaluate }

    /// The evaluation itself.
    public var key: TrustKey { TrustKey(self) }

    /// Asks the closure.
    public func evaluate(chain: [DER], host: String, port: Int, stapledOCSPResponse: DER?) async throws {
        try await closure(chain, host, port, stapledOCSPResponse)
    }
}
