extension Router {
    /// Every endpoint of Hangar.
    static func hangar(state: ServerState) -> Router {
        var router = Router()
        router.addEchoRoutes()
        router.addStatusRoutes()
        router.addTimingRoutes()
        router.addByteRoutes(written: state.written)
        router.addRedirectRoutes()
        router.addBasicAuthenticationRoutes()
        router.addDigestRoutes(nonces: state.nonces)
        router.addCookieRoutes()
        router.addCacheRoutes()
        router.addRangeRoutes()
        router.addCodingRoutes()
        router.addUploadRoutes()
        router.addStreamRoutes()
        router.addWebSocketRoutes()
        router.addSampleRoutes()
        router.addCounterRoutes(counters: state.counters)
        router.addLogRoutes(log: state.log)
        let index = (["GET /"] + router.index).joined(separator: "\n") + "\n"
        router.add("GET", path: "/") { _ in .text(index) }
        return router
    }
}
