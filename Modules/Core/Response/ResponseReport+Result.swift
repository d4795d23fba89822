internal import AirframeTransport
internal import Foundation

extension ResponseReport {
    /// Returns the description of a result without its secrets.
    ///
    /// A string is redacted like a body. In other values, the properties with the name of a secret are redacted.
    ///
    /// - Parameters:
    ///   - result: The result.
    ///   - mediaType: The `Content-Type` of the body that it was made from.
    static func words<Success, Failure>(for result: Result<Success, Failure>, mediaType: String?) -> String {
        let policy = RedactionPolicy.standard
        switch result {
        case .failure: return policy.json("\(result)")
        case .success(let value):
            guard let text = value as? String else { return policy.labels(in: policy.json("\(result)")) }
            return "success(\(policy.text(text, mediaType: mediaType).debugDescription))"
        }
    }
}

extension RedactionPolicy {
    /// Returns the description of a value without the properties that have the name of a secret:
    /// `Login(user: "pilot", token: •••)`.
    fileprivate func labels(in description: String) -> String {
        let bytes = Array(description.utf8)
        var result: [UInt8] = []
        var start = 0
        var index = 0
        while index < bytes.count {
            let word = bytes[index...].prefix(while: Self.isOfName)
            let end = word.endIndex
            guard !word.isEmpty else {
                index += 1
                continue
            }
            index = end
            guard bytes[end...].starts(with: ": ".utf8), isSecret(parameter: String(decoding: word, as: UTF8.self))
            else {
                continue
            }
            result += bytes[start..<end + 2]
            result += Self.placeholder.utf8
            index = Self.endOfValue(in: bytes, from: end + 2)
            start = index
        }
        return start == 0 ? description : String(decoding: result + bytes[start...], as: UTF8.self)
    }

    private static func isOfName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"), 0x80...,
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }

    private static func endOfValue(in bytes: [UInt8], from start: Int) -> Int {
        var depth = 0
        var isQuoted = false
        var index = start
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "\\") where isQuoted: index += 1
            case UInt8(ascii: "\""): isQuoted.toggle()
            case _ where isQuoted: break
            case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
            case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"):
                if depth == 0 { return index }
                depth -= 1
            case UInt8(ascii: ","): if depth == 0 { return index }
            default: break
            }
            index += 1
        }
        return bytes.count
    }
}
