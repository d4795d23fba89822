import Airframe
import AirframeCommandLine
import Foundation

/// The session of one run, and the files to save and close after it.
struct PreparedSession: Sendable {
    let session: Session
    let cookies: HTTPCookieStorage?
    let policies: HSTSStore?
    let diagnostics: Diagnostics

    /// Creates a session from the options.
    ///
    /// - Parameters:
    ///   - options: The options.
    ///   - outgoing: The request whose origin requests are signed and challenges are answered for; `nil` if there is
    ///     more than one.
    ///   - monitors: Monitors in addition to those of the options.
    /// - Throws: What the files of the options throw, and ``ItemError``.
    init(
        _ options: RequestOptions,
        for outgoing: OutgoingRequest? = nil,
        monitors: [any EventMonitor] = []
    ) throws {
        diagnostics = try options.diagnostics.makeMonitors()
        cookies = try options.cookies.open()
        policies = try options.cookies.openHSTSStore()
        let configuration = URLSessionConfiguration.af.default
        configuration.headers.update(.userAgent("airframe/\(AFInfo.version)"))
        let given = try OutgoingRequest.fields(options.headers)
        let removed = outgoing?.removedHeaders ?? given.removed
        for name in removed { configuration.headers.remove(name: name) }
        let sent = outgoing.map { $0.head.headers.map(\.name) } ?? given.sent.map(\.name)
        if removed.contains(where: Self.isAcceptEncoding), !sent.contains(where: Self.isAcceptEncoding) {
            // The layer adds the field to requests that lack it.
            configuration.layers.remove(.contentDecoding)
        }
        configuration.sendsAccept = !removed.contains { $0.lowercased() == "accept" }
        configuration.waitsForConnectivity = options.limits.waitsForConnectivity
        configuration.timeoutIntervalForAllAttempts = options.limits.all?.count
        if let policies { configuration.strictTransportSecurity = policies }
        configuration.httpCookieStorage = cookies
        configuration.urlCredentialStorage = outgoing.flatMap(Self.credentials)
        configuration.urlCache = options.cache.open()
        configuration.httpsOnly = options.cookies.httpsOnly
        configuration.maximumBufferedDecodedBodySize = nil
        configuration.responseInterceptors = options.limits.responseInterceptors
        var transportOptions = TransportOptions()
        transportOptions.limits = options.limits.phases
        try options.connection.apply(to: &transportOptions)
        try options.tls.apply(to: &transportOptions, configuration)
        configuration.transportOptions = transportOptions
        Self.addLayers(to: configuration, options, outgoing?.origin, try options.account.signer())
        let retriers = options.limits.retriers
        session = Session(
            transport: options.connection.engine.makeTransport(),
            configuration: configuration,
            interceptor: retriers.isEmpty ? nil : Interceptor(retriers: retriers),
            serverTrustManager: try options.tls.trustManager(),
            redirectHandler: options.output.staysPut ? Redirector.doNotFollow : nil,
            eventMonitors: diagnostics.monitors + monitors
        )
    }

    private static func isAcceptEncoding(_ name: String) -> Bool { name.lowercased() == "accept-encoding" }

    /// The credential of `--auth digest` and `--auth any`, for requests that the commands do not make themselves: the
    /// connections of an event source and of a WebSocket.
    private static func credentials(of outgoing: OutgoingRequest) -> URLCredentialStorage? {
        guard let credential = outgoing.challengeCredential, let origin = outgoing.origin else { return nil }
        let storage = URLCredentialStorage()
        let space = URLProtectionSpace(
            host: origin.host, port: origin.port, protocol: nil, realm: nil, authenticationMethod: "")
        storage.setDefaultCredential(credential, for: space)
        return storage
    }

    private static func addLayers(
        to configuration: URLSessionConfiguration,
        _ options: RequestOptions,
        _ signedOrigin: Origin?,
        _ signer: AWSSignatureV4?
    ) {
        var layers = configuration.layers
        let limit = options.output.maximumRedirects
        if limit != 20 {
            let rules = configuration.redirectRules
            layers.replace(.redirects) { RedirectLayer($0, limit: limit, rules: rules) }
        }
        if let signer, let signedOrigin {
            layers.insert(below: .monitoring) { SigningLayer($0, signer: signer) { $0 == signedOrigin } }
        }
        configuration.layers = layers
    }

    /// Runs `body` until it returns or a signal cancels it, and calls ``finish()`` in either case.
    ///
    /// - Throws: What `body` throws, or an error if a file cannot be written.
    func run<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) async throws -> Value {
        try await Interruption.cancelling { [self] in
            do {
                let value = try await body()
                try await finish()
                return value
            } catch {
                try? await finish()
                throw error
            }
        }
    }

    /// Saves cookies and HSTS policies, and completes the archive.
    ///
    /// - Throws: An error if a file cannot be written.
    func finish() async throws {
        await diagnostics.flush()
        try cookies?.jar.save()
        try policies?.save()
        try await diagnostics.close()
    }
}
