#if Logging
    public import AirframeCore
    public import AirframeInspection
    internal import AirframeSocket
    public import AirframeTransport

    extension Session {
        /// Creates a session whose requests `airframe inspect` can watch, with the
        /// ``standardLayers(over:configuration:eventMonitors:)`` around its transport.
        ///
        /// - Parameters:
        ///   - socket: The socket of the inspector: `.automatic` is found by `airframe inspect` without a path.
        ///   - transport: The transport that sends requests; an engine over sockets if `nil`.
        ///   - configuration: Headers, timeouts and options. The session copies it.
        ///   - interceptor: Adapts and retries every request.
        ///   - serverTrustManager: Provides the evaluators of servers' certificates.
        ///   - redirectHandler: Decides on redirects.
        ///   - eventMonitors: Receive every event, as the inspector does.
        /// - Throws: ``InspectionError`` if the socket cannot be opened.
        public convenience init(
            inspectable socket: InspectionSocket,
            transport: (any Transport)? = nil,
            configuration: URLSessionConfiguration = URLSessionConfiguration.af.default,
            interceptor: (any RequestInterceptor)? = nil,
            serverTrustManager: ServerTrustManager? = nil,
            redirectHandler: (any RedirectHandler)? = nil,
            eventMonitors: [any EventMonitor] = [AlamofireNotifications()]
        ) throws(InspectionError) {
            let inspector = try Inspector(socket)
            self.init(
                transport: transport ?? SocketTransport(),
                configuration: configuration,
                interceptor: interceptor,
                serverTrustManager: serverTrustManager,
                redirectHandler: redirectHandler,
                eventMonitors: eventMonitors + [inspector]
            )
        }
    }
#endif
