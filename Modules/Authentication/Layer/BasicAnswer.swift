internal import AirframeTransport
internal import FoundationEssentials

/// The answer to a Basic challenge (RFC 7617), in UTF-8 whether or not the server says that it takes it.
enum BasicAnswer {
    /// The value of the `Authorization` field.
    static func fieldValue(_ credential: HTTPCredential) -> String {
        "Basic \(Data("\(credential.user):\(credential.password)".utf8).base64EncodedString())"
    }

    /// Whether name and password can be told apart again, and have no control characters (RFC 7617 §2).
    static func canCarry(_ credential: HTTPCredential) -> Bool {
        !credential.user.utf8.contains(UInt8(ascii: ":"))
            && "\(credential.user)\(credential.password)".unicodeScalars.allSatisfy {
                $0.properties.generalCategory != .control
            }
    }
}
