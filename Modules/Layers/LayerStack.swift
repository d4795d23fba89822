public import AirframeTransport

/// The layers around an engine, each in its place.
///
/// ``order`` alone defines which layer is around which. A session fills the places; a configuration adds layers above
/// or below any of them, replaces one, or removes it:
///
/// ```swift
/// configuration.layers.insert(above: .cookies) { HeaderLayer($0) }
/// configuration.layers.insert(below: .cache) { DelayLayer($0) }
/// configuration.layers.remove(.redirects)
/// ```
public struct LayerStack: Sendable {
    /// The places of the standard layers, outermost first.
    public static let order: [Place] = [
        // Outermost, so that each hop passes all other layers as a separate request.
        .redirects,
        // Beneath redirects, so that each hop is upgraded; outside authentication and cookies, so that credentials and
        // cookies are neither chosen for nor sent to an origin in the clear (RFC 6797 §8.3).
        .strictTransportSecurity,
        // Outside cookies, so that the cookies of a challenge are stored and sent with its answer.
        .authentication,
        // Outside the cache, so that the cache knows the cookies that a response varies on (RFC 9111 §4.1).
        .cookies,
        // Outside the cache, so that the cache stores the bytes as received, to which validators and lengths apply.
        // Content decoding and cookies commute.
        .contentDecoding,
        // Outside connectivity: a stored response needs no network.
        .cache,
        // Outside the monitors' layers, so that they do not measure the wait for a network.
        .connectivity,
        // Next to the engine: the monitors' layers see each exchange as it is sent.
        .monitoring,
    ]

    /// Wraps a transport in a layer, or returns it unchanged if the layer would have nothing to do.
    public typealias Make = @Sendable (any Transport) -> any Transport

    private var standard: [Place: Make] = [:]
    private var replaced: [Place: Make] = [:]
    private var above: [Place: [Make]] = [:]
    private var below: [Place: [Make]] = [:]

    /// Creates a stack whose places are empty.
    public init() {}

    /// Whether all places are empty and unchanged.
    public var isEmpty: Bool { standard.isEmpty && replaced.isEmpty && above.isEmpty && below.isEmpty }

    /// Returns `engine` with all layers around it.
    public func transport(over engine: any Transport) -> any Transport { transport(over: engine, in: Self.order) }

    /// Returns `engine` with all layers around it, in an order chosen by a test.
    package func transport(over engine: any Transport, in order: [Place]) -> any Transport {
        var transport = engine
        for place in order.reversed() {
            let own = (replaced[place] ?? standard[place]).map { [$0] } ?? []
            let makes = (above[place] ?? []) + own + (below[place] ?? [])
            for make in makes.reversed() { transport = LayerRun.shortening(make(transport)) }
        }
        return transport
    }
}

// MARK: Changes

extension LayerStack {
    /// Adds a layer around the one at `place`. Of several, the first added is outermost.
    ///
    /// - Parameters:
    ///   - place: The place; the layer is added there even if the place is empty.
    ///   - make: Creates the layer. Called when the session is created.
    public mutating func insert(above place: Place, _ make: @escaping Make) { above[place, default: []].append(make) }

    /// Adds a layer beneath the one at `place`. Of several, the first added is outermost.
    ///
    /// - Parameters:
    ///   - place: The place; the layer is added there even if the place is empty.
    ///   - make: Creates the layer. Called when the session is created.
    public mutating func insert(below place: Place, _ make: @escaping Make) { below[place, default: []].append(make) }

    /// Replaces the standard layer at `place`.
    ///
    /// - Parameters:
    ///   - place: The place.
    ///   - make: Creates the layer. Called when the session is created.
    public mutating func replace(_ place: Place, with make: @escaping Make) { replaced[place] = make }

    /// Removes the standard layer at `place`.
    public mutating func remove(_ place: Place) { replaced[place] = { $0 } }

    /// Fills a place with its standard layer. A replacement or a removal takes precedence.
    ///
    /// - Parameters:
    ///   - place: The place.
    ///   - make: Creates the layer. Called when the session is created.
    public mutating func provide(_ place: Place, _ make: @escaping Make) { standard[place] = make }
}

// MARK: Places

extension LayerStack {
    /// The place of a standard layer.
    public struct Place: Sendable, Hashable, CustomStringConvertible {
        /// The place's name.
        public let description: String

        private init(_ description: String) { self.description = description }

        /// Follows redirects (``RedirectLayer``)
        public static let redirects = Place("redirects")
        /// Sends requests by `https` to hosts with an HSTS policy (``HSTSLayer``)
        public static let strictTransportSecurity = Place("strictTransportSecurity")
        /// Answers challenges (`AuthenticationLayer` of AirframeAuthentication)
        public static let authentication = Place("authentication")
        /// Sends and stores cookies (`CookieLayer` of AirframeCookies)
        public static let cookies = Place("cookies")
        /// Decodes content (`ContentDecodingLayer` of AirframeCompression)
        public static let contentDecoding = Place("contentDecoding")
        /// Answers requests with stored responses
        public static let cache = Place("cache")
        /// Waits for a network (`ConnectivityLayer` of AirframeConnectivity)
        public static let connectivity = Place("connectivity")
        /// The layers of a session's monitors, which for example add the context of a span to each request
        public static let monitoring = Place("monitoring")
    }
}

extension LayerStack {
    /// Returns the part of `transport` beneath redirects and HSTS, or `transport` itself if it has neither: for
    /// requests that must not be upgraded to `https`, such as those to OCSP responders.
    package static func beneathUpgrades(_ transport: any Transport) -> any Transport {
        var beneath = transport
        for layer in sequence(first: transport, next: { $0.asLayer?.base }) {
            if let layer = layer as? RedirectLayer { beneath = layer.base }
            if let layer = layer as? HSTSLayer { beneath = layer.base }
        }
        return beneath
    }
}

extension TransportLayer {
    /// Returns whether a layer of this type is part of `transport`.
    package static func isAround(_ transport: any Transport) -> Bool {
        sequence(first: transport) { $0.asLayer?.base }.contains { type(of: $0) == Self.self }
    }
}
