import AirframeTransport
import AirframeWire
import Testing

@testable import AirframeCurl

/// A transfer that has been handed to libcurl and that no thread drives, for tests of its states.
final class StandingTransfer {
    let transfer: Transfer
    private let engine: Engine

    init(_ request: TransportRequest) throws {
        let configuration = CurlTransport.Configuration()
        let engine = Engine(configuration, poller: try Poller())
        let exchange = try Exchange(try RequestPlan(alone: request), loop: try EventLoop(configuration))
        engine.start(exchange)
        transfer = try #require(engine.transfers[exchange.id])
        self.engine = engine
    }

    deinit {
        engine.cancel(transfer.id)
        engine.tearDown()
    }
}

extension RequestPlan {
    /// The plan of a request in an environment without proxies.
    convenience init(alone request: TransportRequest) throws {
        try self.init(request, memo: OriginMemo(), EnvironmentProxies { _ in nil })
    }
}
