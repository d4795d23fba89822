internal import AirframeTransport
internal import HTTPTypes
internal import Synchronization

/// The latest nonce of each server (RFC 9449 §8).
///
/// A class, because the requests of a key share it. It holds the nonces of at most 256 servers.
final class DPoPNonces: Sendable {
    private static let limit = 256

    // Guards the nonces of all servers.
    private let nonces = Mutex<[Origin: String]>([:])

    func nonce(of origin: Origin) -> String? { nonces.withLock { $0[origin] } }

    /// Stores the nonce of a response.
    ///
    /// - Returns: The nonce; `nil` if the response has none, or one that RFC 9449 §8.1 does not allow.
    func take(_ fields: HTTPFields, from request: HTTPRequest) -> String? {
        guard let origin = Origin(request), let nonce = fields[.dpopNonce], !nonce.isEmpty, nonce.utf8.count <= 1024,
            nonce.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != 0x22 && $0 != 0x5C })
        else { return nil }
        nonces.withLock { nonces in
            if nonces[origin] == nil, nonces.count >= Self.limit { nonces.remove(at: nonces.startIndex) }
            nonces[origin] = nonce
        }
        return nonce
    }
}
