import Foundation

/// Takes a `multipart/form-data` body apart (RFC 7578).
struct Multipart {
    struct Part {
        let name: String
        let filename: String?
        let content: Data
    }

    private let boundary: String

    /// Nil for another content type, or one without a boundary.
    init?(contentType: String) {
        let parts = contentType.split(separator: ";", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased().trimmingCharacters(in: .whitespaces) == "multipart/form-data",
            let boundary = HeaderParameters(parts[1], separator: ";")["boundary"], !boundary.isEmpty
        else { return nil }
        self.boundary = boundary
    }

    /// Nil if the body is not delimited by the boundary.
    func parts(of body: Data) -> [Part]? {
        let delimiter = Data("\r\n--\(boundary)".utf8)
        let body = Data("\r\n".utf8) + body
        guard var current = body.range(of: delimiter)?.upperBound else { return nil }
        var parts: [Part] = []
        while let next = body.range(of: delimiter, in: current..<body.endIndex) {
            guard let part = Self.part(body[current..<next.lowerBound]) else { return nil }
            parts.append(part)
            current = next.upperBound
        }
        guard body[current...].starts(with: Data("--".utf8)) else { return nil }
        return parts
    }

    private static func part(_ bytes: Data) -> Part? {
        let bytes = bytes.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
        guard let blank = bytes.range(of: Data("\r\n\r\n".utf8)) else { return nil }
        var name = ""
        var filename: String?
        for line in String(decoding: bytes[..<blank.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
        where line.lowercased().hasPrefix("content-disposition:") {
            let parameters = HeaderParameters(line.drop { $0 != ";" }.dropFirst(), separator: ";")
            name = parameters["name"] ?? ""
            filename = parameters["filename"]
        }
        return Part(name: name, filename: filename, content: Data(bytes[blank.upperBound...]))
    }
}
