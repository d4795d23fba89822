internal import AirframeTransport

extension SocketTransport {
    static let capabilities = TransportCapabilities(
        engine: engineName,
        features: [
            .http1, .http2, .http2PriorKnowledge, .tls, .trustEvaluation, .clientIdentity, .tlsVersionBounds,
            .customRoots, .httpProxy, .httpsProxy,
            .socksProxy, .environmentProxy, .resolveOverrides, .localAddress, .networkInterface, .unixSocket, .priority,
            .expectContinue, .requestTrailers, .responseTrailers, .informationalResponses, .fullDuplex, .deadline,
            .poolLimit, .connectLimit, .tlsLimit, .writeIdleLimit, .firstByteLimit, .readIdleLimit, .upgrade,
            .uploadSuspension, .priorityUpdates, .tlsAlgorithms, .socketSettings, .preparation,
        ]
    )
}
