import Airframe
import AirframeSocket
import Benchmark

extension BenchAirframe.Engine {
    func makeTransport() -> any Transport {
        switch self {
        case .curl: CurlTransport()
        case .socket: SocketTransport()
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
        self.init(transport: transport, configuration: configuration)
    }
}
