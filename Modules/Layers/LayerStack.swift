public import AirframeTransport

/// The layers around an engine, each in its place.
///
/// ``order`` is the one place that says what is around what. A session fills the places; a configuration adds layers
/// above or below any of them, replaces one, or leaves it out:
///
/// ```swift
/// configuration.layers.insert(above: .cookies) { HeaderLayer($0) }
/// configuration.layers.insert(below: .cache) { DelayLayer($0) }
/// configuration.layers.remove(.redirects)
/// ```
public struct LayerStack: Sendable {
    /// The places of the standard layers, outermost first.
    public static let order: [Place] = [
        // Outside everything, so that each hop passes all other layers as a request of its own.
        .redirects,
        // Beneath redirects, so that each hop is upgraded; outside credentials and cookies, so that neither is chosen
        // for, or sent to, an origin in the clear (RFC 6797 §8.3).
        .strictTransportSecurity,
        // Outside cookies, so that the cookies of a challenge are stored and sent with its answer.
        .authentication,
        // Outside the cache, so that the cache knows the cookies that a response varies on (RFC 9111 §4.1).
        .cookies,
        // Outside the cache, so that the cache stores the bytes that were received, which validators and lengths are
        // for.
        .contentDecoding,
        // Outside connectivity: a stored response needs no network.
        .cache,
        // Outside what monitors add, so that the wait for a network is no part of the exchange that they measure.
        .connectivity,
        // Next to the engine: what monitors add sees each exchange as it goes out.
        .monitoring,
    ]

    /// Wraps a transport in a layer, or returns it unchanged where the layer would have nothing to do.
    public typealias Make = @Sendable (any Transport) -> any Transport

    private var standard: [Place: Make] = [:]
    private var replaced: [Place: Make] = [:]
    private var above: [Place: [Make]] = [:]
    private var below: [Place: [Make]] = [:]

    /// A stack whose places are empty.
    public init() {}

    /// Whether nothing was changed and no place is filled.
    public var isEmpty: Bool { standard.isEmpty && replaced.isEmpty && above.isEmpty && below.isEmpty }

    /// Returns `engine` with all layers around it.
    public func transport(over engine: any Transport) -> any Transport { transport(over: engine, in: Self.order) }

    /// Returns `engine` with all layers around it, in an order that a test chooses.
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
    ///   - make: Makes the layer. Called when the session is made.
    public mutating func insert(above place: Place, _ make: @escaping Make) { above[place, default: []].append(make) }

    /// Adds a layer beneath the one at `place`. Of several, the first added is outermost.
    ///
    /// - Parameters:
    ///   - place: The place; the layer is added there even if the place is empty.
    ///   - make: Makes the layer. Called when the session is made.
    public mutating func insert(below place: Place, _ make: @escaping Make) { below[place, default: []].append(make) }

    /// Puts another layer in the place of the standard one.
    ///
    /// - Parameters:
    ///   - place: The place.
    ///   - make: Makes the layer. Called when the session is made.
    public mutating func replace(_ place: Place, with make: @escaping Make) { replaced[place] = make }

    /// Leaves the standard layer out.
    public mutating func remove(_ place: Place) { replaced[place] = { $0 } }

    /// Fills a place with its standard layer, which a replacement or a removal takes precedence over.
    ///
    /// - Parameters:
    ///   - place: The place.
    ///   - make: Makes the layer. Called when the session is made.
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
        /// Sends requests by `https` to hosts that ask for it (``HSTSLayer``)
        public static let strictTransportSecurity = Place("strictTransportSecurity")
        /// Answers challenges (`AuthenticationLayer` of AirframeAuthentication)
        public static let authentication = Place("authentication")
        /// Sends and stores cookies (`CookieLayer` of AirframeCookies)
        public static let cookies = Place("cookies")
        /// Decodes content (`ContentDecodingLayer` of AirframeCompression)
        public static let contentDecoding = Place("contentDecoding")
        /// Answers from stored responses
        public static let cache = Place("cache")
        /// Waits for a network (`ConnectivityLayer` of AirframeConnectivity)
        public static let connectivity = Place("connectivity")
        /// What a session's monitors need, such as spans and their contexts on the wire
        public static let monitoring = Place("monitoring")
    }
}

extension LayerStack {
    /// Returns what is beneath the redirects and HSTS of `transport`, or `transport` itself where it has neither: for
    /// requests that must stay in the clear, as those to OCSP responders.
    package static func beneathUpgrades(_ transport: any Transport) -> any Transport {
        var beneath = transport
        for layer in sequence(first: transport, next: { ($0 as? any TransportLayer)?.base }) {
            if let layer = layer as? RedirectLayer { beneath = layer.base }
            if let layer = layer as? HSTSLayer { beneath = layer.base }
        }
        return beneath
    }
}

extension TransportLayer {
    /// Whether `transport` has a layer of this type around it.
    package static func isAround(_ transport: any Transport) -> Bool {
        sequence(first: transport) { ($0 as? any TransportLayer)?.base }.contains { $0 is Self }
    }
}
