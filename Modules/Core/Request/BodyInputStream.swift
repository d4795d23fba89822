package import AirframeTransport
package import Foundation

/// A transport's body as an `InputStream`.
///
/// ``UploadRequest/Uploadable``, which is Alamofire's enum, has data, files and streams, and users switch over it. A
/// body with more abilities than an `InputStream` (it can be replayed, or comes from an asynchronous sequence) is
/// wrapped in one. The pipeline takes the body out and never reads the stream.
package final class BodyInputStream: InputStream {
    /// The body to send.
    package let body: RequestBody

    package init(_ body: RequestBody) {
        self.body = body
        super.init(data: Data())
    }
}

extension RequestBody {
    /// Returns the body that a stream wraps, or a body that reads the stream once.
    package static func upload(_ stream: InputStream, declaredLength: Int64?) -> RequestBody {
        (stream as? BodyInputStream)?.body ?? .oneShot(length: declaredLength, stream: stream)
    }
}
