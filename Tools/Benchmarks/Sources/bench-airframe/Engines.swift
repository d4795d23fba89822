import Airframe
import AirframeCurl
import AirframeSocket
import Benchmark

extension BenchAirframe.Engine {
    /// Creates the transport, and the executor for tasks that use it; `nil` for the default.
    func makeTransport() -> (transport: any Transport, executor: (any TaskExecutor)?) {
        switch self {
        case .curl: return (CurlTransport(), nil)
        case .socket: return (SocketTransport(), nil)
        case .reactor:
            let transport = SocketTransport()
            return (transport, transport.executor)
        }
    }
}

extension TransportOptions {
    init(_ settings: Settings) {
        self.init()
        let isTLS = settings.url.hasPrefix("https:")
        httpVersion = !settings.speaksHTTP2 ? .http1Only : isTLS ? .http2Only : .http2PriorKnowledge
        if let root = settings.root { tls.roots = .pemFile(path: root) }
    }
}

extension Session {
    convenience init(_ settings: Settings, _ transport: any Transport) {
        let configuration = URLSessionConfiguration.af.default
        configuration.transportOptions = TransportOptions(settings)
        // nginx's files are cacheable: the shared cache would answer all requests but the first.
        configuration.urlCache = nil
        self.init(transport: transport, configuration: configuration)
    }
}
