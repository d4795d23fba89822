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
/// The file is read again when it has changed, when the token in it is a JWT that has expired, and when a server refuses
/// the token with 401: the request is then retried if the file has another one. A request with an `Authorization` field
/// of its own keeps that.
///
/// A class, because the requests of a session share what was read.
public final class BearerTokenFile: AsyncRequestInterceptor {
    /// The file's path.
    public let path: String
    /// The origins whose requests carry the token.
    public let origins: Set<Origin>

    private struct Content: Sendable {
        let token: String
        let stamp: Stamp
        let expiration: Date?
        /// The token before this one.
        var previous: String?
    }

    /// What tells two versions of a file apart. A rotation by renaming changes the inode, one in place the time.
    private struct Stamp: Sendable, Equatable {
        let device: UInt64
        let inode: UInt64
        let size: Int64
        let modified: [Int64]
    }

    // Guards what was read last.
    private let content = Mutex<Content?>(nil)

    /// Makes an interceptor. The file is read with the first request.
    ///
    /// - Parameters:
    ///   - path: The file's path.
    ///   - origins: The origins whose requests carry the token. It is sent nowhere else.
    public init(path: String, for origins: Set<Origin>) {
        self.path = path
        self.origins = origins
    }

    /// Adds the token.
    ///
    /// - Throws: ``BearerTokenFileError`` when the file cannot be read or holds no token.
    public func adapt(_ urlRequest: URLRequest, using state: RequestAdapterState) async throws -> URLRequest {
        guard isFor(urlRequest), urlRequest.headers["Authorization"] == nil else { return urlRequest }
        let clock = state.session.transport.clock
        let token = try await token(at: clock.date(at: clock.now))
        var urlRequest = urlRequest
        urlRequest.headers.add(.authorization(bearerToken: token))
        return urlRequest
    }

    /// Retries a request that was refused with 401 if the file has another token by now.
    public func retry(_ request: Request, for session: Session, dueTo error: any Error) async -> RetryResult {
        guard request.response?.statusCode == 401, let urlRequest = request.request, isFor(urlRequest),
            let sent = urlRequest.headers["Authorization"], let known = content.withLock({ $0 })
        else { return .doNotRetry }
        guard sent == "Bearer \(known.token)" else {
            // Another request has read a newer token meanwhile, or the field is the request's own.
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
            // Asking for a file's status takes 1 to 2 µs.
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
                path: path, reason: "it holds no token: one line of visible ASCII is expected")
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

    /// The expiration of a JWT (RFC 7519 §4.1.4); `nil` for any other token. Its signature is the server's matter.
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
    /// The file's path; not the token.
    public var description: String { "bearer token of \(path)" }

    /// The file's path, so that a dump does not show the token.
    public var customMirror: Mirror { Mirror(self, children: ["path": path]) }
}

/// Why there is no token in a file.
public struct BearerTokenFileError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The file's path.
    public let path: String
    /// What is wrong with the file.
    public let reason: String

    /// The path and the reason.
    public var description: String { "the bearer token file \(path) cannot be used: \(reason)" }
}

extension BearerTokenFileError: LocalizedError {
    /// The same as ``description``.
    public var errorDescription: String? { description }
}
