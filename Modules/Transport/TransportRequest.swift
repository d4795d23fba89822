public import HTTPTypes

/// One request as a transport sends it.
public struct TransportRequest: Sendable {
    /// Method, scheme, authority, path and header fields.
    public var head: HTTPRequest

    /// The content.
    public var body: RequestBody

    /// How to send it.
    public var options: TransportOptions

    /// The protocol to speak on the connection if the peer agrees; `nil` for an ordinary exchange. Needs
    /// ``TransportFeatures/upgrade``.
    public var upgrade: UpgradeProtocol?

    /// Who decides on the server's certificates. `nil` leaves it to the engine: the chain must lead to a trusted root
    /// and name the host.
    public var trust: (any TrustEvaluation)?

    /// The certificate and key to show to a server that asks for one (TLS client authentication).
    public var identity: ClientIdentity?

    /// Where the events of this exchange go.
    public var events: (any TransportEventSink)?

    /// Where trust and identity come from when a layer sends the request to another origin.
    public var security: (any OriginSecurity)?

    /// Holds the sending of the body while the request is suspended.
    package var uploadGate: UploadGate?

    /// Values for the layers, by key. `nil` until one is set, so that a plain request pays nothing for them.
    private var values: [ObjectIdentifier: any Sendable]?

    /// Makes a request.
    ///
    /// - Parameters:
    ///   - head: The head. Scheme and authority must be set.
    ///   - body: The content, empty by default.
    ///   - options: How to send it.
    ///   - trust: Who decides on the server's certificates; `nil` for the engine's own evaluation.
    ///   - identity: The certificate and key to show to the server.
    ///   - events: Where the events of the exchange go.
    public init(
        _ head: HTTPRequest,
        body: RequestBody = .none,
        options: TransportOptions = TransportOptions(),
        trust: (any TrustEvaluation)? = nil,
        identity: ClientIdentity? = nil,
        events: (any TransportEventSink)? = nil
    ) {
        self.head = head
        self.body = body
        self.options = options
        self.trust = trust
        self.identity = identity
        self.events = events
    }

    /// The value that a layer reads under `key`.
    public subscript<Key: TransportRequestKey>(key: Key.Type) -> Key.Value {
        get {
            guard let values else { return Key.defaultValue }
            return Self.value(of: key, in: values)
        }
        set { values = (values ?? [:]).merging([ObjectIdentifier(key): newValue]) { $1 } }
    }

    /// Whether any value was set, so that a layer can pass a plain request on without reading its settings one by one.
    package var hasValues: Bool { values != nil }

    /// Sets all values that the request's author gave, under their keys.
    package mutating func adopt(_ given: LayerValues) {
        values = (values ?? [:]).merging(given.values) { $1 }
    }

    /// A function of its own, because one that casts asks for types at run time before it does anything else, and most
    /// requests have no values.
    @inline(never)
    private static func value<Key: TransportRequestKey>(
        of key: Key.Type,
        in values: [ObjectIdentifier: any Sendable]
    ) -> Key.Value {
        // The lookup is unwrapped first: casting its `nil` to an optional value would succeed and hide the default.
        guard let value = values[ObjectIdentifier(key)] else { return Key.defaultValue }
        return value as? Key.Value ?? Key.defaultValue
    }
}

/// The key of a value that travels with a request to a layer: the layer's own option, typed.
///
/// ```swift
/// enum FaultRate: TransportRequestKey { static let defaultValue = 0.0 }
/// request[FaultRate.self] = 0.1
/// ```
public protocol TransportRequestKey {
    /// What is stored under the key.
    associatedtype Value: Sendable
    /// What a request has that sets nothing.
    static var defaultValue: Value { get }
}
