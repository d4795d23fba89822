import Airframe
import AirframeTestSupport
import Foundation

/// Returns a session over the current engine that trusts the peers' root and ignores the proxies of the environment.
func makeSession(
    startRequestsImmediately: Bool = true,
    _ change: (inout TransportOptions) -> Void = { _ in }
) throws -> Session {
    let configuration = URLSessionConfiguration.af.default
    // Sessions share their cache: a response that one engine has received must not answer a request over another.
    configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
    var options = TransportOptions()
    options.proxy = ProxyPolicy.none
    if let root = try? Peers.running?.path("root") { options.tls.roots = .pemFile(path: root) }
    change(&options)
    configuration.transportOptions = options
    return Session(
        transport: EachEngineTrait.current.transport,
        configuration: configuration,
        startRequestsImmediately: startRequestsImmediately
    )
}

/// A file that goes with the test.
final class ScratchFile: Sendable {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("airframe-\(UUID().uuidString)")

    /// A file of `size` bytes, sparse; or only a name.
    init(size: Int? = nil) throws {
        guard let size else { return }
        _ = FileManager.default.createFile(atPath: url.path, contents: nil)
        let handle = try FileHandle(forWritingTo: url)
        try handle.truncate(atOffset: UInt64(size))
        try handle.close()
    }

    deinit { try? FileManager.default.removeItem(at: url) }
}

struct Echo: Decodable, Sendable {
    let args: [String: String]?
    let form: [String: String]?
    let headers: [String: String]?
    let data: String?
    let url: String?
}

struct Sink: Decodable, Sendable {
    let bytes: Int
    let chunked: Bool?
    let sha256: String?
}
