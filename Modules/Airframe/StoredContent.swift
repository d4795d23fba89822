internal import AirframeCompression
internal import Foundation
internal import HTTPTypes

/// The decoded content of stored responses: a cache stores encoded bytes, and users read decoded ones.
enum StoredContent {
    /// Returns head and content as a `ContentDecodingLayer` does, or `nil` if the content cannot be decoded.
    static func decoded(_ head: HTTPResponse, _ data: Data) -> (HTTPResponse, Data)? {
        let names = head.headerFields[values: .contentEncoding].flatMap { $0.split(separator: ",") }
        let codings = names.map { ContentCoding(name: $0.trimmingCharacters(in: .whitespaces)) }
        let known = codings.compactMap(\.self)
        guard !known.isEmpty else { return (head, data) }
        guard known.count == codings.count, var decoder = try? ContentDecoder(known) else { return nil }
        guard let content = try? decoder.decode([UInt8](data)), let rest = try? decoder.finish() else { return nil }
        var head = head
        head.headerFields[.contentEncoding] = nil
        head.headerFields[.contentLength] = nil
        return (head, Data(content + rest))
    }
}
