public import AirframeTransport
public import Foundation

// What Alamofire cannot upload: asynchronous sequences, parts of files, and bodies that are made anew for each sending.

extension Session {
    // MARK: Any body

    /// Uploads a body: a part of a file, or bytes that are made while they are sent.
    ///
    /// ```swift
    /// session.upload(.file(FileRegion(path: path, offset: 1 << 20, length: 1 << 20)), to: url)
    /// ```
    ///
    /// - Parameters:
    ///   - body: The content. What it says of its replay decides whether a retry or a redirect can send it again; one
    ///     that cannot be sent again fails with ``TransportError/Code/bodyNotReplayable``.
    ///   - convertible: The URL.
    ///   - method: The method.
    ///   - headers: Fields to set.
    ///   - interceptor: Adapts and retries this request, after the session's.
    ///   - shouldAutomaticallyResume: Whether to start when the first handler is added; the session's rule if `nil`.
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

    /// Uploads a body with anything that makes a `URLRequest`.
    ///
    /// - Parameters:
    ///   - body: The content. What it says of its replay decides whether a retry or a redirect can send it again.
    ///   - convertible: Makes the `URLRequest`; its own body is not sent.
    ///   - interceptor: Adapts and retries this request, after the session's.
    ///   - shouldAutomaticallyResume: Whether to start when the first handler is added; the session's rule if `nil`.
    public func upload(
        _ body: RequestBody,
        with convertible: any URLRequestConvertible,
        interceptor: (any RequestInterceptor)? = nil,
        shouldAutomaticallyResume: Bool? = nil
    ) -> UploadRequest {
        upload(
            .body(body),
            with: convertible,
            interceptor: interceptor,
            shouldAutomaticallyResume: shouldAutomaticallyResume,
            fileManager: .default
        )
    }

    // MARK: Asynchronous sequences of data

    /// Uploads what an asynchronous sequence brings, as the connection takes it. It can be read once: a retry, or a
    /// redirect that keeps the content, fails with ``TransportError/Code/bodyNotReplayable``.
    ///
    /// - Parameters:
    ///   - sequence: The content, in pieces.
    ///   - length: The number of bytes. Without it the body is sent in chunks (RFC 9112 §7.1); with it, a sequence that
    ///     brings more or fewer fails.
    ///   - convertible: The URL.
    ///   - method: The method.
    ///   - headers: Fields to set.
    ///   - interceptor: Adapts and retries this request, after the session's.
    ///   - shouldAutomaticallyResume: Whether to start when the first handler is added; the session's rule if `nil`.
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

    /// Uploads what an asynchronous sequence brings, with anything that makes a `URLRequest`.
    ///
    /// - Parameters:
    ///   - sequence: The content, in pieces. It can be read once.
    ///   - length: The number of bytes; `nil` where it is not known.
    ///   - convertible: Makes the `URLRequest`; its own body is not sent.
    ///   - interceptor: Adapts and retries this request, after the session's.
    ///   - shouldAutomaticallyResume: Whether to start when the first handler is added; the session's rule if `nil`.
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

    /// Uploads the bytes that an asynchronous sequence brings, in pieces of up to 16 KiB. It can be read once.
    ///
    /// - Parameters:
    ///   - bytes: The content. A piece goes out when it is full, and at the end.
    ///   - length: The number of bytes; `nil` where it is not known.
    ///   - convertible: The URL.
    ///   - method: The method.
    ///   - headers: Fields to set.
    ///   - interceptor: Adapts and retries this request, after the session's.
    ///   - shouldAutomaticallyResume: Whether to start when the first handler is added; the session's rule if `nil`.
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

    /// Uploads the bytes that an asynchronous sequence brings, with anything that makes a `URLRequest`.
    ///
    /// - Parameters:
    ///   - bytes: The content. It can be read once.
    ///   - length: The number of bytes; `nil` where it is not known.
    ///   - convertible: Makes the `URLRequest`; its own body is not sent.
    ///   - interceptor: Adapts and retries this request, after the session's.
    ///   - shouldAutomaticallyResume: Whether to start when the first handler is added; the session's rule if `nil`.
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

/// Single bytes, gathered into pieces that are worth sending.
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
