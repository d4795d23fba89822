public import AirframeCore
public import AirframeTransport
public import Foundation

// Beyond Alamofire: parts of unknown length, parts from asynchronous code, and the form as a body for any client.

extension MultipartFormData {
    /// Appends the contents of a stream of unknown length. The form's length is then unknown too, and HTTP/1.1 sends it
    /// in chunks.
    ///
    /// - Parameters:
    ///   - stream: The stream; opened when it is read, and closed at its end. It can be read once.
    ///   - name: The name of the form's field.
    ///   - fileName: The file name of the part.
    ///   - mimeType: The content's media type.
    public func append(_ stream: InputStream, withName name: String, fileName: String, mimeType: String) {
        let headers = MultipartHeaders.make(name: name, fileName: fileName, mimeType: mimeType)
        append(MultipartPart(headers: headers, content: MultipartPart.Content(stream), length: nil))
    }

    /// Appends the elements of an asynchronous sequence as one part. Elements are requested as the connection accepts
    /// them.
    ///
    /// - Parameters:
    ///   - sequence: The content, in order. It is read once: a form with it can be sent once.
    ///   - length: The number of bytes; `nil` if unknown. A sequence with another number of bytes fails the upload.
    ///   - name: The name of the form's field.
    ///   - fileName: The file name of the part; `nil` for a plain field.
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

    /// Appends an asynchronous sequence that can be created again, so that the form is replayable.
    ///
    /// - Parameters:
    ///   - makeSequence: A closure that creates the sequence from its start.
    ///   - length: The number of bytes; `nil` if unknown. A sequence with another number of bytes fails the upload.
    ///   - name: The name of the form's field.
    ///   - fileName: The file name of the part; `nil` for a plain field.
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
    ///   - body: The content with its length and replayability. Its trailers are not sent.
    ///   - headers: The part's header fields, `Content-Disposition` among them.
    public func append(_ body: RequestBody, headers: HTTPHeaders) {
        append(MultipartPart(headers: headers, content: .body(body), length: body.length.map { UInt64(max(0, $0)) }))
    }

    /// Returns the form as a transport's body. It is replayable if all parts are, and has a known length if all parts
    /// have one.
    ///
    /// - Throws: `AFError.multipartEncodingFailed` for an invalid part.
    public func makeRequestBody() throws -> RequestBody {
        let parts = try validParts()
        let pieces = MultipartPiece.pieces(of: parts, boundary: boundary)
        let length = encodedLength.flatMap(Int64.init(exactly:))
        guard parts.allSatisfy(\.isReplayable) else { return .oneShot(length: length, MultipartSource(pieces)) }
        return .restartable(length: length) { MultipartSource(pieces) }
    }

    /// Returns the encoded form as an asynchronous sequence, for other HTTP clients. Files are read during iteration.
    ///
    /// - Throws: `AFError.multipartEncodingFailed` for an invalid part.
    public func chunks() throws -> AsyncThrowingStream<Data, any Error> {
        let source = MultipartSource(MultipartPiece.pieces(of: try validParts(), boundary: boundary))
        return AsyncThrowingStream { try await source.next() }
    }

    private func append(_ body: RequestBody, length: UInt64?, name: String, fileName: String?, mimeType: String?) {
        let headers = MultipartHeaders.make(name: name, fileName: fileName, mimeType: mimeType)
        append(MultipartPart(headers: headers, content: .body(body), length: length))
    }
}
