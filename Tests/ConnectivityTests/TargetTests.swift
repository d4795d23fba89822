import Airframe
import AirframeTransport
import Testing

@Suite("Whom a request has to reach", .timeLimit(.minutes(1)))
struct TargetTests {
    private let origin = Origin(scheme: "https", host: "api.test", port: 8443)

    private func hosts(_ options: TransportOptions, _ environment: [String: String] = [:]) -> [String]? {
        ConnectivityTarget(origin, options: options) { environment[$0] }?.hosts
    }

    @Test("the server, where nothing is in between")
    func server() {
        #expect(hosts(TransportOptions()) == ["api.test"])
        var options = TransportOptions()
        options.networkInterface = "eth1"
        #expect(ConnectivityTarget(origin, options: options) { _ in nil }?.interface == "eth1")
    }

    @Test("the addresses that an override gives it, for its own host and port")
    func overrides() {
        var options = TransportOptions()
        options.resolveOverrides = [
            ResolveOverride(host: "api.test", port: 443, addresses: ["192.0.2.9"]),
            ResolveOverride(host: "API.test", port: 8443, addresses: ["192.0.2.1", "2001:db8::1"]),
        ]
        #expect(hosts(options) == ["192.0.2.1", "2001:db8::1"])
        options.resolveOverrides = [ResolveOverride(host: "api.test", port: 8443, addresses: ["127.0.0.1"])]
        #expect(hosts(options) == nil)
    }

    @Test("none if an override gives the server no address, unless a proxy is asked")
    func overrideWithoutAddresses() {
        var options = TransportOptions()
        options.resolveOverrides = [ResolveOverride(host: "api.test", port: 8443, addresses: [])]
        #expect(hosts(options) == nil)
        options.proxy = .proxy(Proxy(host: "proxy.test", port: 3128))
        #expect(hosts(options) == ["proxy.test"])
    }

    @Test("the proxy, and the server too where some are reached without it")
    func proxy() {
        var options = TransportOptions()
        options.proxy = .proxy(Proxy(host: "proxy.test", port: 3128))
        #expect(hosts(options) == ["proxy.test"])
        options.proxy = .proxy(Proxy(host: "proxy.test", port: 3128, excludedHosts: ["api.test"]))
        #expect(hosts(options) == ["api.test", "proxy.test"])
        options.proxy = .proxy(Proxy(host: "127.0.0.1", port: 3128))
        #expect(hosts(options) == nil)
    }

    @Test(
        "the proxy that the environment names for the scheme",
        arguments: [
            ["https_proxy": "http://user:secret@proxy.test:3128"], ["HTTPS_PROXY": "proxy.test"],
            ["all_proxy": "socks5h://proxy.test:1080/"],
        ]
    )
    func environment(variables: [String: String]) {
        #expect(hosts(TransportOptions(), variables) == ["api.test", "proxy.test"])
        var options = TransportOptions()
        options.proxy = ProxyPolicy.none
        #expect(hosts(options, variables) == ["api.test"])
    }

    @Test("a proxy of the environment on this machine means that nothing waits")
    func localProxy() {
        #expect(hosts(TransportOptions(), ["https_proxy": "http://localhost:3128"]) == nil)
        #expect(hosts(TransportOptions(), ["http_proxy": "http://localhost:3128"]) == ["api.test"])
    }
}
