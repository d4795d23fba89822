import AirframeOAuth
import AirframeTransport
import Foundation
import HTTPTypes
import Synchronization

extension TransportOptions {
    /// Options without a proxy.
    static var direct: TransportOptions {
        var options = TransportOptions()
        options.proxy = ProxyPolicy.none
        return options
    }
}

/// Collects values from any thread, in order.
final class Log<Value: Sendable>: Sendable {
    private let kept = Mutex<[Value]>([])

    var values: [Value] { kept.withLock { $0 } }

    func append(_ value: Value) { kept.withLock { $0.append(value) } }
}
