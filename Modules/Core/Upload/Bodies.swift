package import AirframeTransport
package import Foundation

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
