import AirframeCurl
import AirframeOAuth
import AirframeSocket
import AirframeTransport
import Foundation
import HTTPTypes
import Synchronization
import Testing

/// The engines that the tests run over.
enum TestedEngine: String, CaseIterable, CustomTestStringConvertible {
    case curl
    case sockets

    var testDescription: String { rawValue }

    var transport: any Transport {
        switch self {
        case .curl: CurlTransport()
        case .sockets: SocketTransport()
        }
    }
}

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
