import Airframe
import AirframeCommandLine
import AirframeCurl
import AirframeSocket
import ArgumentParser
import Foundation

/// The engine, the version of HTTP and the route to the server.
struct ConnectionOptions: ParsableArguments {
    /// An engine by its name on the command line.
    enum Engine: String, ExpressibleByArgument, CaseIterable {
        case curl
        case sockets

        /// A new engine.
        func makeTransport() -> any Transport {
            switch self {
            case .curl: CurlTransport()
            case .sockets: SocketTransport()
            }
        }
    }

    @Option(name: .long, help: "The engine.") var engine = Engine.sockets
    @Flag(name: .customLong("http1.1"), help: "Speak HTTP/1.1.") var speaksHTTP1 = false
    @Flag(name: .customLong("http2"), help: "Speak HTTP/2 over TLS, or fail.") var speaksHTTP2 = false
    @Flag(name: .customLong("http2-prior-knowledge"), help: "Speak HTTP/2 without negotiation.") var assumesHTTP2 =
        false
    @Option(
        name: [.customShort("x"), .long],
        help: """
            A proxy, http://HOST:PORT, https, socks4, socks4a, socks5 or socks5h; none for no proxy. Without it, that of \
            the environment.
            """
    )
    var proxy: String?
    @Option(
        name: .customLong("proxy-user"), parsing: .unconditional,
        help: "NAME:PASSWORD for the proxy, also for one of the environment.")
    var proxyUser: String?
    @Option(
        name: .customLong("no-proxy"),
        help: "Hosts that are reached without a proxy, separated by commas, in place of those in no_proxy."
    )
    var noProxy: String?
    @Option(help: "An address in place of name resolution, HOST:PORT:ADDRESS. May be repeated.")
    var resolve: [String] = []
    @Option(name: .customLong("unix-socket"), help: "Connect to this Unix domain socket.", completion: .file())
    var unixSocket: String?
    @Option(help: "Connect from this network interface or local address.") var interface: String?

    func validate() throws {
        if [speaksHTTP1, speaksHTTP2, assumesHTTP2].count(where: { $0 }) > 1 {
            throw ValidationError("give one of --http1.1, --http2 and --http2-prior-knowledge")
        }
    }

    /// Applies the options.
    ///
    /// - Throws: ``ItemError`` for a proxy or an address that cannot be read.
    func apply(to options: inout TransportOptions) throws {
        if let proxy {
            options.proxy = try ProxyArgument.policy(proxy, credential: proxyUser, excluded: noProxy)
        } else {
            options.proxy = try ProxyArgument.environment(
                credential: proxyUser, excluded: noProxy, ProcessInfo.processInfo.environment)
        }
        if speaksHTTP1 { options.httpVersion = .http1Only }
        if speaksHTTP2 { options.httpVersion = .http2Only }
        if assumesHTTP2 { options.httpVersion = .http2PriorKnowledge }
        if !resolve.isEmpty { options.resolveOverrides = try resolve.map(ProxyArgument.resolveOverride) }
        options.unixSocketPath = unixSocket
        if let interface {
            // An interface's name has neither a colon nor only digits and dots.
            let isAddress = interface.contains(":") || interface.allSatisfy { $0.isNumber || $0 == "." }
            if isAddress { options.localAddress = interface } else { options.networkInterface = interface }
        }
    }
}
