package import AirframeTransport
package import Foundation

// Conversions of Foundation's bodies to those of a transport.

extension RequestBody {
    /// Returns the body of a `URLRequest`.
    static func forHTTPBody(of urlRequest: URLRequest) -> RequestBody {
        if let data = urlRequest.httpBody { return .bytes(data) }
        if let stream = urlRequest.httpBodyStream {
            return .upload(stream, declaredLength: urlRequest.declaredContentLength)
        }
        return .none
    }

    /// Returns a body that reads a stream once.
    package static func oneShot(length: Int64?, stream: InputStream) -> RequestBody {
        .oneShot(length: length, InputStreamSource(stream))
    }
}

extension URLRequest {
    /// The value of a `Content-Length` field, for bodies whose length is not known otherwise.
    var declaredContentLength: Int64? { value(forHTTPHeaderField: "Content-Length").flatMap { Int64($0) } }
}

extension FileRegion {
    /// Creates a body of the whole file at `url`, at its current length.
    ///
    /// - Throws: ``TransportError/Code/bodyFailed`` if there is no readable file.
    init(uploading url: URL) throws(TransportError) {
        do {
            // The attributes of a symbolic link are those of the link itself.
            let attributes = try FileManager.default.attributesOfItem(atPath: url.resolvingSymlinksInPath().path)
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
