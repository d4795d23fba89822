import Airframe
import AirframeCurl
import AirframeSocket
import Foundation

/// An engine that reaches servers.
enum RealEngine: String, CaseIterable, Sendable {
    case curl, socket

    /// A session on it, without a proxy of the environment.
    func session(interceptor: (any RequestInterceptor)? = nil) -> Session {
        let configuration = URLSessionConfiguration.af.default
        configuration.transportOptions.proxy = ProxyPolicy.none
        let transport: any Transport = self == .curl ? CurlTransport() : SocketTransport()
        return Session(
            transport: ContentDecodingLayer(transport),
            configuration: configuration,
            interceptor: interceptor
        )
    }
}

extension ScratchFolder {
    /// A file of `size` bytes in the folder; sparse unless it has content.
    func file(_ name: String = "upload", size: Int = 0, content: Data? = nil) throws -> URL {
        let file = url.appendingPathComponent(name)
        _ = FileManager.default.createFile(atPath: file.path, contents: content)
        let handle = try FileHandle(forWritingTo: file)
        if content == nil { try handle.truncate(atOffset: UInt64(size)) }
        try handle.close()
        return file
    }
}
