public import HTTPTypes

/// One request as a transport sends it.
///
/// Copying a request costs one retain. The first change to a copy copies its storage.
public struct TransportRequest: Sendable {
    @usableFromInline var storage: Storage

    /// Creates a request, with a new ``exchange``.
    ///
    /// - Parameters:
    ///   - head: The head. Scheme and authority must be set.
    ///   - body: The content, empty by default.
    ///   - options: How to send it.
    ///   - trust: The evaluation of the server's certificates; `nil` for the engine's own.
    ///   - identity: The certificate and key to show to the server.
    ///   - events: The sink for the events of the exchange.
    public init(
        _ head: HTTPRequest,
        body: RequestBody = .none,
        options: TransportOptions = TransportOptions(),
        trust: (any TrustEvaluation)? = nil,
        identity: ClientIdentity? = nil,
        events: (any TransportEventSink)? = nil
    ) {
        storage = Storage(SharedRequestHead(head), body, options, events)
        if let trust { storage.trust = trust }
        storage.identity = identity
    }

    /// Creates a request with a head that it shares with other requests until one of them changes it.
    package init(
        sharing head: SharedRequestHead,
        body: consuming RequestBody,
        options: TransportOptions,
        events: (any TransportEventSink)?
    ) {
        storage = Storage(head, consume body, options, events)
    }

    @inlinable mutating func makeUnique() {
        if !isKnownUniquelyReferenced(&storage) { storage = Storage(copying: storage) }
    }

    /// Method, scheme, authority, path and header fields.
    @inlinable public var head: HTTPRequest {
        get { storage.head.head }
        _modify {
            makeUnique()
            if !isKnownUniquelyReferenced(&storage.head) || storage.head.isEncoded {
                storage.head = SharedRequestHead(storage.head.head)
            }
            yield &storage.head.head
        }
    }

    /// The role of the head's method.
    package var methodRole: MethodRole { storage.head.methodRole }

    /// The head, shared with this request.
    @inlinable package var sharedHead: SharedRequestHead { storage.head }

    /// The content.
    @inlinable public var body: RequestBody {
        get { storage.body }
        _modify {
            makeUnique()
            yield &storage.body
        }
    }

    /// How to send it.
    @inlinable public var options: TransportOptions {
        get { storage.options }
        _modify {
            makeUnique()
            yield &storage.options
        }
    }

    /// The protocol to speak on the connection if the peer agrees; `nil` for an ordinary exchange. Needs
    /// ``TransportFeatures/upgrade``.
    @inlinable public var upgrade: UpgradeProtocol? {
        get { storage.upgrade }
        set {
            makeUnique()
            storage.upgrade = newValue
        }
    }

    /// The evaluation of the server's certificates. `nil` leaves it to the engine: the chain must lead to a trusted
    /// root and name the host. If ``security`` is set, the engine takes it from there.
    @inlinable public var trust: (any TrustEvaluation)? {
        get { storage.trust }
        set {
            makeUnique()
            storage.trust = newValue
        }
    }

    /// The certificate and key to show to a server that asks for one (TLS client authentication). If ``security`` is
    /// set, the engine takes it from there.
    @inlinable public var identity: ClientIdentity? {
        get { storage.identity }
        set {
            makeUnique()
            storage.identity = newValue
        }
    }

    /// The sink for the events of this exchange.
    @inlinable public var events: (any TransportEventSink)? {
        get { storage.events }
        set {
            makeUnique()
            storage.events = newValue
        }
    }

    /// The source of trust and identity for the origin that the request is sent to. The engine asks it when it is given
    /// the request, so that a layer may change the origin without further steps.
    @inlinable public var security: (any OriginSecurity)? {
        get { storage.security }
        set {
            makeUnique()
            storage.security = newValue
        }
    }

    /// Holds the sending of the body while the request is suspended. Needs ``TransportFeatures/uploadSuspension``.
    @inlinable public var uploadGate: UploadGate? {
        get { storage.uploadGate }
        set {
            makeUnique()
            storage.uploadGate = newValue
        }
    }

    /// Changes the priority of the request while it is in flight. Needs ``TransportFeatures/priorityUpdates``.
    @inlinable public var priorityUpdates: PriorityUpdates? {
        get { storage.priorityUpdates }
        set {
            makeUnique()
            storage.priorityUpdates = newValue
        }
    }

    /// The recorder of the timelines of this exchange and those that follow from it. If it is `nil`, the engine
    /// makes one; either way ``TransportResponse/timelines`` has it. Set one to have the timelines of an exchange that
    /// fails.
    @inlinable public var timelines: TimelineRecorder? {
        get { storage.timelines }
        set {
            makeUnique()
            storage.timelines = newValue
        }
    }

    /// The instant by which the exchange has to be over, on the transport's clock. Layers pass it on unchanged, so that
    /// it holds for all exchanges of a request together. ``startDeadline(on:)`` derives it from the options.
    @inlinable public var deadline: MonotonicInstant? {
        get { storage.deadline }
        set {
            makeUnique()
            storage.deadline = newValue
        }
    }

    /// The priority at which the request waits for a connection; `nil` for that of the task that sends it. A session
    /// sets it, because a request may run in a separate task.
    @inlinable public var queuePriority: TaskPriority? {
        get { storage.queuePriority.map { TaskPriority(rawValue: $0) } }
        set {
            makeUnique()
            storage.queuePriority = newValue?.rawValue
        }
    }

    /// The exchange that this request begins; its events carry it.
    @inlinable public var exchange: ExchangeIdentifier { storage.exchange }

    /// Gives this request a new ``exchange``. A layer that sends a request again, changed or not, calls it on the
    /// request that it sends next.
    public mutating func beginNewExchange() {
        makeUnique()
        storage.exchange = ExchangeIdentifier()
    }

    private var values: [ObjectIdentifier: any Sendable]? {
        get { storage.values }
        set {
            makeUnique()
            storage.values = newValue
        }
    }

    /// The value that a layer reads under `key`.
    public subscript<Key: TransportRequestKey>(key: Key.Type) -> Key.Value {
        get {
            guard let values else { return Key.defaultValue }
            return Self.value(of: key, in: values)
        }
        set { values = (values ?? [:]).merging([ObjectIdentifier(key): newValue]) { $1 } }
    }

    /// Whether any value was set. If none was, a layer need not look its settings up one by one.
    package var hasValues: Bool { values != nil }

    /// Sets all values that the request's author gave, under their keys.
    package mutating func adopt(_ given: LayerValues) {
        values = (values ?? [:]).merging(given.values) { $1 }
    }

    private static func value<Key: TransportRequestKey>(
        of key: Key.Type,
        in values: [ObjectIdentifier: any Sendable]
    ) -> Key.Value {
        // Unwrapped before the cast: casting the lookup's `nil` to an optional `Key.Value` would succeed and hide the
        // default.
        guard let value = values[ObjectIdentifier(key)] else { return Key.defaultValue }
        return value as? Key.Value ?? Key.defaultValue
    }
}

extension TransportRequest {
    /// The storage that copies of a request share.
    ///
    /// `@unchecked Sendable`: it is immutable while it is shared. Only a request that holds the sole reference changes
    /// it (``TransportRequest/makeUnique()``), so no access needs a check for exclusivity.
    @usableFromInline final class Storage: @unchecked Sendable {
        @exclusivity(unchecked) @usableFromInline var head: SharedRequestHead
        @exclusivity(unchecked) @usableFromInline var body: RequestBody
        @exclusivity(unchecked) @usableFromInline var options: TransportOptions
        @exclusivity(unchecked) @usableFromInline var upgrade: UpgradeProtocol?
        // Spelled `Optional`, which is not initialized to `nil` before the initializer sets it.
        @exclusivity(unchecked) @usableFromInline var trust: Optional<any TrustEvaluation> {
            didSet { hasTrust = trust != nil }
        }
        /// Whether ``trust`` is set. Comparing it with `nil` would copy it, 180 instructions per exchange.
        @exclusivity(unchecked) private(set) var hasTrust: Bool
        @exclusivity(unchecked) @usableFromInline var identity: ClientIdentity?
        // Spelled `Optional` for the same reason as `trust`.
        @exclusivity(unchecked) @usableFromInline var events: Optional<any TransportEventSink>
        @exclusivity(unchecked) @usableFromInline var security: (any OriginSecurity)? {
            didSet { hasSecurity = security != nil }
        }
        /// Whether ``security`` is set. Matching it with `nil` would copy it, 140 instructions per exchange.
        @exclusivity(unchecked) private(set) var hasSecurity = false
        @exclusivity(unchecked) @usableFromInline var uploadGate: UploadGate?
        @exclusivity(unchecked) @usableFromInline var priorityUpdates: PriorityUpdates?
        @exclusivity(unchecked) @usableFromInline var timelines: TimelineRecorder?
        @exclusivity(unchecked) @usableFromInline var deadline: MonotonicInstant?
        /// The raw value: `TaskPriority` is resilient, and would make the layout of this object dynamic.
        @exclusivity(unchecked) @usableFromInline var queuePriority: UInt8?
        @exclusivity(unchecked) @usableFromInline var exchange: ExchangeIdentifier
        /// Values for the layers, by key. `nil` until one is set, so that a plain request allocates no dictionary.
        @exclusivity(unchecked) var values: [ObjectIdentifier: any Sendable]?

        init(
            _ head: SharedRequestHead,
            _ body: consuming RequestBody,
            _ options: TransportOptions,
            _ events: (any TransportEventSink)?
        ) {
            self.head = head
            self.body = consume body
            self.options = options
            trust = nil
            hasTrust = false
            self.events = events
            exchange = ExchangeIdentifier()
        }

        @usableFromInline init(copying other: Storage) {
            head = other.head
            body = other.body
            options = other.options
            upgrade = other.upgrade
            trust = other.trust
            hasTrust = other.hasTrust
            identity = other.identity
            events = other.events
            security = other.security
            hasSecurity = other.hasSecurity
            uploadGate = other.uploadGate
            priorityUpdates = other.priorityUpdates
            timelines = other.timelines
            deadline = other.deadline
            queuePriority = other.queuePriority
            exchange = other.exchange
            values = other.values
        }
    }
}

/// The key of a typed option that a request carries to a layer.
///
/// ```swift
/// enum FaultRate: TransportRequestKey { static let defaultValue = 0.0 }
/// request[FaultRate.self] = 0.1
/// ```
public protocol TransportRequestKey {
    /// The type of the value.
    associatedtype Value: Sendable
    /// The value of a request that sets none.
    static var defaultValue: Value { get }
}
