internal import AirframeCurl
internal import AirframeSocket
public import AirframeTransport

/// The engines that reach servers, for tests that run over each.
public enum TestedEngine: String, CaseIterable, Sendable, CustomStringConvertible {
    case curl
    case sockets

    /// The engine's name.
    public var description: String { rawValue }

    /// A new transport with the engine's defaults.
    public var transport: any Transport {
        switch self {
        case .curl: CurlTransport()
        case .sockets: SocketTransport()
        }
    }
}
