public import AirframeTransport
public import Foundation
internal import Synchronization

/// Authenticates requests with a bearer token (RFC 6750) from a file that another program rotates, as Kubernetes does
/// with the tokens of service accounts.
///
/// ```swift
/// let token = BearerTokenFile(
///     path: "/var/run/secrets/kubernetes.io/serviceaccount/token",
///     for: [Origin(scheme: "https", host: "kubernetes.default.svc")]
/// )
/// let session = Session(interceptor: token)
/// ```
///
/// The file is read again when it has changed, when the token in it is a JWT that has expired, and when a server
/// rejects the token with 401; the request is then retried if the file has another token. A request that has an
/// `Authorization` field keeps it.
///
/// A class, because the requests of a session share the content of the file.
public final class BearerTokenFile: AsyncRequestInterceptor {
    /// The file's path.
    public let path: String
    /// The origins whose requests carry the token.
    public let origins: Set<Origin>

    private struct Content: Sendable {
        let token: String
        let stamp: Stamp
        let expiration: Date?
        /// The previous token.
        var previous: String?
    }

    /// Identifies a version of the file. A rotation by renaming changes the inode, a rotation in place the time.
    private struct Stamp: Sendable, Equatable {
        let device: UInt64
        let inode: UInt64
        let size: Int64
        let modified: [Int64]
    }

    // Guards the content that was read last.
    private let content = Mutex<Content?>(nil)

    /// Creates an interceptor. The first request reads the file.
    ///
    /// - Parameters:
    ///   - path: The file's path.
    ///   - origins: The origins whose requests carry the token. It is not sent to others.
    public init(path: String, for origins: Set<Origin>) {
        self.path = path
        self.origins = origins
    }

    /// Adds the token.
    ///
    /// - Throws: ``BearerTokenFileError`` if the file cannot be read or contains no token.
    public func adapt(_ urlRequest: URLRequest, using state: RequestAdapterState) async throws -> URLRequest {
        guard isFor(urlRequest), urlRequest.headers["Authorization"] == nil else { return urlRequest }
        let clock = state.session.transport.clock
        let token = try await token(at: clock.date(at: clock.now))
        var urlRequest = urlRequest
        urlRequest.headers.add(.authorization(bearerToken: token))
        return urlRequest
    }

    /// Retries a request that was rejected with 401 if the file contains another token by now.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - session: Its session.
    ///   - error: The error that it failed with.
    /// - Returns: The decision, with a ``BearerTokenFileError`` if the file cannot be read or contains no token.
    public func retry(_ request: Request, for session: Session, dueTo error: any Error) async -> RetryResult {
        guard request.response?.statusCode == 401, let urlRequest = request.request, isFor(urlRequest),
            let sent = urlRequest.headers["Authorization"], let known = content.withLock({ $0 })
        else { return .doNotRetry }
        guard sent == "Bearer \(known.token)" else {
            // Another request has read a newer token, or the field was set by the user.
            return sent == known.previous.map { "Bearer \($0)" } ? .retry : .doNotRetry
        }
        do {
            let fresh = try await read()
            return "Bearer \(fresh.token)" == sent ? .doNotRetry : .retry
        } catch {
            return .doNotRetryWithError(error)
        }
    }

    private func isFor(_ urlRequest: URLRequest) -> Bool { urlRequest.origin.map(origins.contains) ?? false }

    // MARK: The file

    private func token(at date: Date) async throws -> String {
        if let content = content.withLock({ $0 }), content.expiration.map({ $0 > date }) ?? true,
            // A call of stat takes 1 to 2 µs.
            Self.stamp(of: path) == content.stamp
        {
            return content.token
        }
        return try await read().token
    }

    private func read() async throws -> Content {
        let path = path
        let fresh = try await WorkerThreads.files.result { try Self.content(of: path) }
        return content.withLock { content in
            let previous = content?.token == fresh.token ? content?.previous : content?.token
            content = fresh
            content?.previous = previous
            return fresh
        }
    }

    private static func content(of path: String) throws -> Content {
        guard let stamp = stamp(of: path) else {
            throw BearerTokenFileError(path: path, reason: String(cString: strerror(errno)))
        }
        guard stamp.size <= 1 << 20 else { throw BearerTokenFileError(path: path, reason: "it is larger than 1 MiB") }
        let data: Data
        do {
            data = try Data(contentsOf: URL(fileURLWithPath: path))
        } catch {
            throw BearerTokenFileError(path: path, reason: "\(error.localizedDescription)")
        }
        let token = String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        guard !token.isEmpty, token.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw BearerTokenFileError(
                path: path, reason: "it contains no token: one line of visible ASCII is expected")
        }
        return Content(token: token, stamp: stamp, expiration: expiration(of: token))
    }

    private static func stamp(of path: String) -> Stamp? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        return Stamp(
            device: UInt64(status.st_dev), inode: UInt64(status.st_ino), size: Int64(status.st_size),
            modified: [Int64(status.st_mtim.tv_sec), Int64(status.st_mtim.tv_nsec)]
        )
    }

    /// Returns the expiration of a JWT (RFC 7519 §4.1.4), or `nil` for any other token. The signature is not verified.
    private static func expiration(of token: String) -> Date? {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3 else { return nil }
        var payload = parts[1].replacing("-", with: "+").replacing("_", with: "/")
        payload += String(repeating: "=", count: (4 - payload.utf8.count % 4) % 4)
        struct Claims: Decodable { let exp: Double }
        guard let data = Data(base64Encoded: String(payload)),
            let claims = try? JSONDecoder().decode(Claims.self, from: data)
        else { return nil }
        return Date(timeIntervalSince1970: claims.exp)
    }
}

extension BearerTokenFile: CustomStringConvertible, CustomReflectable {
    /// The file's path, without the token.
    public var description: String { "bearer token of \(path)" }

    /// A mirror with the file's path, so that a dump does not show the token.
    public var customMirror: Mirror { Mirror(self, children: ["path": path]) }
}

/// The reason why a file provides no token.
public struct BearerTokenFileError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The file's path.
    public let path: String
    /// The fault of the file.
    public let reason: String

    /// The path and the reason.
    public var description: String { "the bearer token file \(path) cannot be used: \(reason)" }
}

extension BearerTokenFileError: LocalizedError {
    /// The same as ``description``.
    public var errorDescription: String? { description }
}
