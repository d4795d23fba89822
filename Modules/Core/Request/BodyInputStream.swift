package import AirframeTransport
package import Foundation

/// A transport's body in the shape that ``UploadRequest/Uploadable`` has for what is made while it is sent.
///
/// Alamofire's enum knows data, files and streams, and users switch over it. A body that can do more than an
/// `InputStream` (be sent again, come from an asynchronous sequence) travels in one: the pipeline takes the body out and
/// never reads the stream.
package final class BodyInputStream: InputStream {
    /// What is sent.
    package let body: RequestBody

    package init(_ body: RequestBody) {
        self.body = body
        super.init(data: Data())
    }
}

extension RequestBody {
    /// The body that a stream carries, or else what the stream brings, which is read once.
    static func upload(_ stream: InputStream, declaredLength: Int64?) -> RequestBody {
        (stream as? BodyInputStream)?.body ?? .oneShot(length: declaredLength, stream: stream)
    }
}
