public import AirframeCore
public import AirframeTransport
public import Foundation

// What Alamofire does not have: parts of unknown length, parts from asynchronous code, and the form as a body for any
// client.

extension MultipartFormData {
    /// Appends what a stream brings, however much that is. The form then has no known length either, and HTTP/1.1 sends
    /// it in chunks.
    ///
    /// - Parameters:
    ///   - stream: The stream; opened when it is read, and closed at its end. It can be read once.
    ///   - name: The name of the form's field.
    ///   - fileName: The name of the file that the content is said to be.
    ///   - mimeType: The content's media type.
    public func append(_ stream: InputStream, withName name: String, fileName: String, mimeType: String) {
        let headers = MultipartHeaders.make(name: name, fileName: fileName, mimeType: mimeType)
        append(MultipartPart(headers: headers, content: .stream(MultipartStream(stream)), length: nil))
    }

    /// Appends the elements of an asynchronous sequence as one part. They are asked for as the connection takes them.
    ///
    /// - Parameters:
    ///   - sequence: The content, in order. It is read once: a form with it can be sent once.
    ///   - length: The number of bytes, `nil` if it is not known. A sequence that brings fewer or more fails the upload.
    ///   - name: The name of the form's field.
    ///   - fileName: The name of the file that the content is said to be; `nil` for a plain field.
    ///   - mimeType: The content's media type; `nil` leaves the part without `Content-Type`.
    public func append<Bytes: AsyncSequence & Sendable>(
        _ sequence: Bytes,
        withLength length: UInt64? = nil,
        name: String,
        fileName: String? = nil,
        mimeType: String? = nil
    ) where Bytes.Element == Data {
        append(.sequence(sequence), length: length, name: name, fileName: fileName, mimeType: mimeType)
    }

    /// Appends an asynchronous sequence that can be made anew, so that the form can be sent again.
    ///
    /// - Parameters:
    ///   - makeSequence: Makes the sequence, each time from the start.
    ///   - length: The number of bytes, `nil` if it is not known. A sequence that brings fewer or more fails the upload.
    ///   - name: The name of the form's field.
    ///   - fileName: The name of the file that the content is said to be; `nil` for a plain field.
    ///   - mimeType: The content's media type; `nil` leaves the part without `Content-Type`.
    public func append<Bytes: AsyncSequence & Sendable>(
        withLength length: UInt64? = nil,
        name: String,
        fileName: String? = nil,
        mimeType: String? = nil,
        makeSequence: @escaping @Sendable () -> Bytes
    ) where Bytes.Element == Data {
        append(.restartableSequence(makeSequence), length: length, name: name, fileName: fileName, mimeType: mimeType)
    }

    /// Appends a transport's body as a part.
    ///
    /// - Parameters:
    ///   - body: The content, which says itself how long it is and whether it can be sent again. Its trailers are not
    ///     sent.
    ///   - headers: The part's header fields, `Content-Disposition` among them.
    public func append(_ body: RequestBody, headers: HTTPHeaders) {
        append(MultipartPart(headers: headers, content: .body(body), length: body.length.map { UInt64(max(0, $0)) }))
    }

    /// The form as a transport's body: replayable when all its parts are, and of known length when theirs is known.
    ///
    /// - Throws: `AFError.multipartEncodingFailed` with what was wrong with a part when it was appended.
    public func makeRequestBody() throws -> RequestBody {
        let parts = try validParts()
        let pieces = MultipartPiece.pieces(of: parts, boundary: boundary)
        let length = encodedLength.flatMap(Int64.init(exactly:))
        guard parts.allSatisfy(\.isReplayable) else { return .oneShot(length: length, MultipartSource(pieces)) }
        return .restartable(length: length) { MultipartSource(pieces) }
    }

    /// The encoded form as an asynchronous sequence, for clients other than this one. Files are read as it goes on.
    ///
    /// - Throws: `AFError.multipartEncodingFailed` with what was wrong with a part when it was appended.
    public func chunks() throws -> AsyncThrowingStream<Data, any Error> {
        let source = MultipartSource(MultipartPiece.pieces(of: try validParts(), boundary: boundary))
        return AsyncThrowingStream { try await source.next() }
    }

    private func append(_ body: RequestBody, length: UInt64?, name: String, fileName: String?, mimeType: String?) {
        let headers = MultipartHeaders.make(name: name, fileName: fileName, mimeType: mimeType)
        append(MultipartPart(headers: headers, content: .body(body), length: length))
    }
}
