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
    ///   - removedHeaders: The names of default fields that are not sent.
    ///   - signedOrigin: The origin to which requests are signed.
    ///   - monitors: Monitors beside those of the options.
    /// - Throws: What the files of the options throw, and ``ItemError``.
    init(
        _ options: RequestOptions,
        removedHeaders: [String] = [],
        signedOrigin: Origin? = nil,
        monitors: [any EventMonitor] = []
    ) throws {
        diagnostics = try options.diagnostics.makeMonitors()
        cookies = try options.cookies.open()
        policies = try options.cookies.openHSTSStore()
        let configuration = URLSessionConfiguration.af.default
        configuration.headers.update(.userAgent("airframe/\(AFInfo.version)"))
        for name in removedHeaders { configuration.headers.remove(name: name) }
        configuration.waitsForConnectivity = options.limits.waitsForConnectivity
        configuration.timeoutIntervalForAllAttempts = options.limits.all?.count
        if let policies { configuration.strictTransportSecurity = policies }
        configuration.httpCookieStorage = cookies
        configuration.urlCache = options.cache.open()
        configuration.httpsOnly = options.cookies.httpsOnly
        configuration.maximumBufferedDecodedBodySize = nil
        configuration.responseInterceptors = options.limits.responseInterceptors
        var transportOptions = TransportOptions()
        transportOptions.limits = options.limits.phases
        try options.connection.apply(to: &transportOptions)
        try options.tls.apply(to: &transportOptions, configuration)
        configuration.transportOptions = transportOptions
        Self.addLayers(to: configuration, options, signedOrigin, try options.account.signer())
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
