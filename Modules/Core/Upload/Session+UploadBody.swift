public import AirframeTransport
public import Foundation

// Uploads beyond Alamofire's: asynchronous sequences, parts of files, and bodies that are made again for each sending.

extension Session {
    // MARK: Any body

    /// Uploads a body: a part of a file, or bytes that are produced while they are sent.
    ///
    /// ```swift
    /// session.upload(.file(FileRegion(path: path, offset: 1 << 20, length: 1 << 20)), to: url)
    /// ```
    ///
    /// - Parameters:
    ///   - body: The content. Its replay decides whether a retry or a redirect can send it again; a body that cannot be
    ///     sent again fails with ``TransportError/Code/bodyNotReplayable``.
    ///   - convertible: The URL.
    ///   - method: The method.
    ///   - headers: The header fields to set.
    ///   - interceptor: Adapts and retries this request, after the session's interceptor.
    ///   - shouldAutomaticallyResume: Whether to start when the first handler is added; `nil` for the session's
    ///     setting.
    ///   - requestModifier: Changes the `URLRequest`.
    public func upload(
        _ body: RequestBody,
        to convertible: any URLConvertible,
        method: HTTPMethod = .post,
        headers: HTTPHeaders? = nil,
        interceptor: (any RequestInterceptor)? = nil,
        shouldAutomaticallyResume: Bool? = nil,
        requestModifier: RequestModifier? = nil
    ) -> UploadRequest {
        upload(
            body,
            with: PlainRequest(url: convertible, method: method, headers: headers, modifier: requestModifier),
            interceptor: interceptor,
            shouldAutomaticallyResume: shouldAutomaticallyResume
        )
    }

    /// Uploads a body with a `URLRequest`.
    ///
    /// - Parameters:
    ///   - body: The content. Its replay decides whether a retry or a redirect can send it again.
    ///   - convertible: The source of the `URLRequest`, whose own body is not sent.
    ///   - interceptor: Adapts and retries this request, after the session's interceptor.
    ///   - shouldAutomaticallyResume: Whether to start when the first handler is added; `nil` for the session's
    ///     setting.
    public func upload(
        _ body: RequestBody,
        with convertible: any URLRequestConvertible,
        interceptor: (any RequestInterceptor)? = nil,
        shouldAutomaticallyResume: Bool? = nil
    ) -> UploadRequest {
        upload(
            .stream(BodyInputStream(body)),
            with: convertible,
            interceptor: interceptor,
            shouldAutomaticallyResume: shouldAutomaticallyResume,
            fileManager: .default
        )
    }

    // MARK: Asynchronous sequences of data

    /// Uploads the chunks of an asynchronous sequence at the pace of the connection. The sequence can be read once: a
    /// retry, or a redirect that keeps the content, fails with ``TransportError/Code/bodyNotReplayable``.
    ///
    /// - Parameters:
    ///   - sequence: The content, in chunks.
    ///   - length: The number of bytes. Without it the body is sent with the chunked coding (RFC 9112 §7.1); with it,
    ///     the request fails if the sequence has more or fewer bytes.
    ///   - convertible: The URL.
    ///   - method: The method.
    ///   - headers: The header fields to set.
    ///   - interceptor: Adapts and retries this request, after the session's interceptor.
    ///   - shouldAutomaticallyResume: Whether to start when the first handler is added; `nil` for the session's
    ///     setting.
    ///   - requestModifier: Changes the `URLRequest`.
    public func upload<Pieces: AsyncSequence & Sendable>(
        _ sequence: Pieces,
        length: Int64? = nil,
        to convertible: any URLConvertible,
        method: HTTPMethod = .post,
        headers: HTTPHeaders? = nil,
        interceptor: (any RequestInterceptor)? = nil,
        shouldAutomaticallyResume: Bool? = nil,
        requestModifier: RequestModifier? = nil
    ) -> UploadRequest where Pieces.Element == Data {
        upload(
            .sequence(sequence, length: length),
            to: convertible,
            method: method,
            headers: headers,
            interceptor: interceptor,
            shouldAutomaticallyResume: shouldAutomaticallyResume,
            requestModifier: requestModifier
        )
    }

    /// Uploads the chunks of an asynchronous sequence with a `URLRequest`.
    ///
    /// - Parameters:
    ///   - sequence: The content, in chunks. It can be read once.
    ///   - length: The number of bytes; `nil` if it is unknown.
    ///   - convertible: The source of the `URLRequest`, whose own body is not sent.
    ///   - interceptor: Adapts and retries this request, after the session's interceptor.
    ///   - shouldAutomaticallyResume: Whether to start when the first handler is added; `nil` for the session's
    ///     setting.
    public func upload<Pieces: AsyncSequence & Sendable>(
        _ sequence: Pieces,
        length: Int64? = nil,
        with convertible: any URLRequestConvertible,
        interceptor: (any RequestInterceptor)? = nil,
        shouldAutomaticallyResume: Bool? = nil
    ) -> UploadRequest where Pieces.Element == Data {
        upload(
            .sequence(sequence, length: length),
            with: convertible,
            interceptor: interceptor,
            shouldAutomaticallyResume: shouldAutomaticallyResume
        )
    }

    // MARK: Asynchronous sequences of bytes

    /// Uploads the bytes of an asynchronous sequence in chunks of up to 16 KiB. The sequence can be read once.
    ///
    /// - Parameters:
    ///   - bytes: The content. A chunk is sent when it is full, and at the end.
    ///   - length: The number of bytes; `nil` if it is unknown.
    ///   - convertible: The URL.
    ///   - method: The method.
    ///   - headers: The header fields to set.
    ///   - interceptor: Adapts and retries this request, after the session's interceptor.
    ///   - shouldAutomaticallyResume: Whether to start when the first handler is added; `nil` for the session's
    ///     setting.
    ///   - requestModifier: Changes the `URLRequest`.
    public func upload<Bytes: AsyncSequence & Sendable>(
        _ bytes: Bytes,
        length: Int64? = nil,
        to convertible: any URLConvertible,
        method: HTTPMethod = .post,
        headers: HTTPHeaders? = nil,
        interceptor: (any RequestInterceptor)? = nil,
        shouldAutomaticallyResume: Bool? = nil,
        requestModifier: RequestModifier? = nil
    ) -> UploadRequest where Bytes.Element == UInt8 {
        upload(
            BytePieces(bytes: bytes),
            length: length,
            to: convertible,
            method: method,
            headers: headers,
            interceptor: interceptor,
            shouldAutomaticallyResume: shouldAutomaticallyResume,
            requestModifier: requestModifier
        )
    }

    /// Uploads the bytes of an asynchronous sequence with a `URLRequest`.
    ///
    /// - Parameters:
    ///   - bytes: The content. It can be read once.
    ///   - length: The number of bytes; `nil` if it is unknown.
    ///   - convertible: The source of the `URLRequest`, whose own body is not sent.
    ///   - interceptor: Adapts and retries this request, after the session's interceptor.
    ///   - shouldAutomaticallyResume: Whether to start when the first handler is added; `nil` for the session's
    ///     setting.
    public func upload<Bytes: AsyncSequence & Sendable>(
        _ bytes: Bytes,
        length: Int64? = nil,
        with convertible: any URLRequestConvertible,
        interceptor: (any RequestInterceptor)? = nil,
        shouldAutomaticallyResume: Bool? = nil
    ) -> UploadRequest where Bytes.Element == UInt8 {
        upload(
            BytePieces(bytes: bytes),
            length: length,
            with: convertible,
            interceptor: interceptor,
            shouldAutomaticallyResume: shouldAutomaticallyResume
        )
    }
}

/// Collects single bytes into chunks.
private struct BytePieces<Bytes: AsyncSequence & Sendable>: AsyncSequence, Sendable where Bytes.Element == UInt8 {
    let bytes: Bytes

    struct Iterator: AsyncIteratorProtocol {
        var bytes: Bytes.AsyncIterator

        mutating func next() async throws -> Data? { try await next(isolation: nil) }

        mutating func next(isolation actor: isolated (any Actor)?) async throws -> Data? {
            var piece = Data()
            while piece.count < 16 << 10, let byte = try await bytes.next(isolation: actor) { piece.append(byte) }
            return piece.isEmpty ? nil : piece
        }
    }

    func makeAsyncIterator() -> Iterator { Iterator(bytes: bytes.makeAsyncIterator()) }
}
