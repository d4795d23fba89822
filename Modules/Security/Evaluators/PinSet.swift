public import Foundation

/// Pins of public keys: the SHA-256 of the key's SubjectPublicKeyInfo (RFC 7469 §2.4), as `sha256/` and 44 characters
/// of Base64.
///
/// Include a backup pin, of a key that is not in use yet. If the key in use is lost, programs that pin only that key
/// can no longer connect.
public struct PinSet: Sendable, Hashable {
    /// The pins of keys in use.
    public let pins: Set<String>
    /// The pins of backup keys, which are not in use yet.
    public let backupPins: Set<String>
    /// The instant from which the pins no longer apply, so that a program that is no longer updated can still reach its
    /// server. The evaluator's other requirements still apply. An evaluator that validates neither the chain nor the
    /// host validates both from then on. One that validates only the chain trusts a valid chain for any host.
    public let expiry: Date?

    /// Creates a set.
    ///
    /// - Parameters:
    ///   - pins: The pins of keys in use.
    ///   - backupPins: The pins of backup keys, which are not in use yet.
    ///   - expiry: The instant from which the pins no longer apply; `nil` for never.
    /// - Throws: ``CertificateError`` for a pin that is malformed, and for a set without any.
    public init(_ pins: [String], backupPins: [String] = [], expiry: Date? = nil) throws(CertificateError) {
        guard !pins.isEmpty else { throw CertificateError("there are no pins") }
        for pin in pins + backupPins {
            guard pin.hasPrefix("sha256/"), Data(base64Encoded: String(pin.dropFirst(7)))?.count == 32 else {
                throw CertificateError("\(pin.debugDescription) is not a pin: write sha256/ and the Base64 of 32 bytes")
            }
        }
        self.pins = Set(pins)
        self.backupPins = Set(backupPins)
        self.expiry = expiry
    }

    /// Returns whether `key` has one of the pins.
    public func contains(_ key: PublicKey) -> Bool { pins.contains(key.pin) || backupPins.contains(key.pin) }

    /// Returns whether the pins are still in force.
    func isInForce(at date: Date) -> Bool { expiry.map { date < $0 } ?? true }
}
