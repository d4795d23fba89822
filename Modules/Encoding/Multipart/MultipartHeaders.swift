internal import AirframeCore
internal import Foundation

/// The header fields of a part.
enum MultipartHeaders {
    /// The fields that RFC 7578 §4.2 and §4.4 require.
    static func make(name: String, fileName: String?, mimeType: String?) -> HTTPHeaders {
        var disposition = "form-data; name=\"\(escape(withUniformNewlines(name)))\""
        if let fileName { disposition += "; filename=\"\(escape(fileName))\"" }
        var headers: HTTPHeaders = [.contentDisposition(disposition)]
        if let mimeType { headers.add(.contentType(mimeType)) }
        return headers
    }

    /// The serialized fields with the empty line after them.
    static func encode(_ headers: HTTPHeaders) -> Data {
        var data = Data()
        for header in headers {
            data.append(contentsOf: "\(line(header.name)): \(line(header.value))\r\n".utf8)
        }
        data.append(contentsOf: "\r\n".utf8)
        return data
    }

    /// Escapes quotes and line ends as browsers do (WHATWG HTML, multipart/form-data encoding algorithm). Many servers
    /// take a backslash before a quote, as RFC 9110 defines it for other fields, literally.
    private static func escape(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 == 10 || $0 == 13 || $0 == 34 }) else { return text }
        return text.utf8.reduce(into: [UInt8]()) { bytes, byte in
            switch byte {
            case UInt8(ascii: "\n"): bytes.append(contentsOf: "%0A".utf8)
            case UInt8(ascii: "\r"): bytes.append(contentsOf: "%0D".utf8)
            case UInt8(ascii: "\""): bytes.append(contentsOf: "%22".utf8)
            default: bytes.append(byte)
            }
        }.asText
    }

    /// Browsers normalize line ends in a field's name to CR LF before they escape it, but not in file names.
    private static func withUniformNewlines(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 == 10 || $0 == 13 }) else { return text }
        var bytes: [UInt8] = []
        var previous: UInt8 = 0
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\n") where previous == UInt8(ascii: "\r"): break
            case UInt8(ascii: "\n"), UInt8(ascii: "\r"): bytes.append(contentsOf: "\r\n".utf8)
            default: bytes.append(byte)
            }
            previous = byte
        }
        return bytes.asText
    }

    /// A line end in a field would begin another field, so it becomes a space (RFC 9110 §5.5).
    private static func line(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 == 0 || $0 == 10 || $0 == 13 }) else { return text }
        return text.utf8.map { $0 == 0 || $0 == 10 || $0 == 13 ? UInt8(ascii: " ") : $0 }.asText
    }
}

extension [UInt8] {
    fileprivate var asText: String { String(decoding: self, as: UTF8.self) }
}
