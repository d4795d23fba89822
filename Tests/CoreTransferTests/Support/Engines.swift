import Airframe
import AirframeTestSupport
import Foundation

extension TestedEngine {
    /// A session on the engine, without a proxy of the environment.
    func session(interceptor: (any RequestInterceptor)? = nil) -> Session {
        let configuration = URLSessionConfiguration.af.default
        configuration.transportOptions.proxy = ProxyPolicy.none
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
