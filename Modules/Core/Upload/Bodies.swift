package import AirframeTransport
internal import Dispatch
package import Foundation
internal import Synchronization

// The bodies of Foundation's vocabulary as a transport's.

extension RequestBody {
    /// The body that a `URLRequest` carries itself.
    static func forHTTPBody(of urlRequest: URLRequest) -> RequestBody {
        if let data = urlRequest.httpBody { return .bytes(data) }
        if let stream = urlRequest.httpBodyStream {
            return .upload(stream, declaredLength: urlRequest.declaredContentLength)
        }
        return .none
    }

    /// What a stream brings. It is read once.
    package static func oneShot(length: Int64?, stream: InputStream) -> RequestBody {
        .oneShot(length: length, InputStreamSource(stream))
    }
}

extension URLRequest {
    /// The length that a `Content-Length` field announces, for bodies whose length nobody else knows.
    var declaredContentLength: Int64? { value(forHTTPHeaderField: "Content-Length").flatMap { Int64($0) } }
}

extension FileRegion {
    /// All of the file at `url`, as long as it is now.
    ///
    /// - Throws: ``TransportError/Code/bodyFailed`` when it is no readable file.
    init(uploading url: URL) throws(TransportError) {
        do {
            let attributes = try FileManager.default.attributesOfItem(atPath: url.path)
            let isFile = attributes[.type] as? FileAttributeType == .typeRegular
            guard isFile, let size = attributes[.size] as? NSNumber else {
                throw CocoaError(.fileReadUnknown, userInfo: [NSFilePathErrorKey: url.path])
            }
            self.init(path: url.path, length: size.int64Value)
        } catch {
            throw TransportError(
                .bodyFailed,
                phase: .requestBody,
                processing: .notSent,
                message: "the file to upload, \(url.path), cannot be read",
                underlying: error
            )
        }
    }
}

/// An `InputStream` as the source of a body. Its reads may block, so they run on a queue of their own.
private final class InputStreamSource: RequestBodySource, @unchecked Sendable {
    // `@unchecked` because `InputStream` is not Sendable: all use of it is on the queue.
    private let stream: InputStream
    private let queue = DispatchQueue(label: "airframe.upload.stream")
    private let chunkSize = 64 << 10

    init(_ stream: InputStream) { self.stream = stream }

    func next() async throws -> Data? {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Result { try self.read() }) }
        }
    }

    func cancel() {
        queue.async { self.stream.close() }
    }

    private func read() throws -> Data? {
        if stream.streamStatus == .notOpen { stream.open() }
        var chunk = Data(count: chunkSize)
        let count = chunk.withUnsafeMutableBytes { buffer in
            buffer.bindMemory(to: UInt8.self).baseAddress.map { stream.read($0, maxLength: buffer.count) } ?? 0
        }
        // `streamError` traps in Foundation on Linux, so the cause stays unknown.
        guard count >= 0 else { throw CocoaError(.fileReadUnknown) }
        guard count > 0 else {
            stream.close()
            return nil
        }
        return chunk.prefix(count)
    }
}
