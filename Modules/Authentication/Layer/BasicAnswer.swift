internal import AirframeTransport
internal import FoundationEssentials

/// The answer to a Basic challenge (RFC 7617), always in UTF-8.
enum BasicAnswer {
    /// The value of the `Authorization` field.
    static func fieldValue(_ credential: HTTPCredential) -> String {
        "Basic \(Data("\(credential.user):\(credential.password)".utf8).base64EncodedString())"
    }

    /// Whether the name has no colon, and neither has control characters (RFC 7617 §2).
    static func canCarry(_ credential: HTTPCredential) -> Bool {
        !credential.user.utf8.contains(UInt8(ascii: ":"))
            && "\(credential.user)\(credential.password)".unicodeScalars.allSatisfy {
                $0.properties.generalCategory != .control
            }
    }
}
