internal import AirframeAuthentication
internal import Foundation

/// Base64 for URLs, without padding (RFC 4648 §5, RFC 7515 §2).
enum Base64URL {
    static func encode(_ bytes: some Sequence<UInt8>) -> String {
        Data(bytes).base64EncodedString()
            .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    /// Random bytes from the system's source, encoded.
    static func random(_ count: Int) -> String {
        var source = SystemRandomNumberGenerator()
        return encode((0..<count).map { _ in UInt8.random(in: .min ... .max, using: &source) })
    }

    /// The SHA-256 hash of a string, encoded.
    static func hash(of text: String) throws(OAuthError) -> String {
        do {
            return encode(try HashFunction.sha256.hash(Data(text.utf8)))
        } catch {
            throw .unusableKey("\(error)")
        }
    }
}
