import AirframeCache
import AirframeCookies
import AirframeLayers
import AirframeTransport
import HTTPTypes

/// Sends requests that no layer has work for through redirects, HSTS, cookies and a cache, as a session stacks them, to
/// a transport that answers immediately.
struct LayerRun {
    let transport: any Transport
    private let method: HTTPRequest.Method

    /// - Parameter absent: The layer that is left out: `redirects`, `cookies`, `hsts`, or anything else for none.
    ///   With `options` and `cache` the method is `OPTIONS`, because a cache performs every `GET`; `cache` adds a
    ///   cache.
    init(without absent: String) {
        let response = TransportResponse(
            head: HTTPResponse(status: .ok, headerFields: [.contentType: "text/plain", .server: "bench"]),
            body: ResponseBody(),
            request: HTTPRequest(method: .get, scheme: "https", authority: "bench.test", path: "/")
        )
        let engine = ClosureTransport { _ in response }
        var layers = LayerStack()
        if absent != "redirects" { layers.provide(.redirects) { RedirectLayer($0) } }
        if absent != "cookies" { layers.provide(.cookies) { CookieLayer($0) } }
        if absent != "hsts" { layers.provide(.strictTransportSecurity) { HSTSLayer($0, store: HSTSStore()) } }
        if absent == "cache" { layers.provide(.cache) { CacheLayer($0, store: MemoryCacheStore()) } }
        method = absent == "options" || absent == "cache" ? .options : .get
        transport = layers.transport(over: engine)
    }

    /// Sends `count` requests, one after another.
    ///
    /// - Returns: The number of requests that failed.
    func send(count: Int) async -> Int {
        let request = TransportRequest(
            HTTPRequest(method: method, scheme: "https", authority: "bench.test", path: "/get"))
        var failures = 0
        for _ in 0..<count {
            do {
                if try await transport.send(request).head.status != .ok { failures += 1 }
            } catch {
                failures += 1
            }
        }
        return failures
    }
}
