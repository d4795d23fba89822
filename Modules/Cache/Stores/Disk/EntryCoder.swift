internal import AirframeTransport
internal import FoundationEssentials
internal import HTTPTypes

/// The file format of the responses under one key: all variants with their heads and their small contents.
///
/// ```text
/// magic "AFCACHE1", length of the payload (8 bytes), checksum of the payload (8 bytes), payload
/// payload: URI, number of variants, then each variant
/// ```
///
/// Numbers are little-endian; strings and lists are preceded by their lengths. A file that is damaged, truncated or of
/// another version decodes to `nil` and counts as a miss.
enum EntryCoder {
    static let magic = Array("AFCACHE1".utf8)
    static let headerLength = 24

    static func encode(_ entries: [CacheEntry], key: CacheKey) -> [UInt8] {
        var payload = ByteWriter()
        payload.text(key.uri)
        payload.number(UInt32(entries.count))
        for entry in entries { encode(entry, into: &payload) }
        var checksum = Checksum()
        checksum.update(payload.bytes)
        var file = ByteWriter()
        file.bytes = magic
        file.number(UInt64(payload.bytes.count))
        file.number(checksum.value)
        return file.bytes + payload.bytes
    }

    static func decode(_ file: Data) -> (key: CacheKey, entries: [CacheEntry])? {
        var header = ByteReader(file)
        guard header.take(magic.count).map(Array.init) == magic, let length: UInt64 = header.number(),
            let expected: UInt64 = header.number(), length == UInt64(file.count - headerLength)
        else { return nil }
        let payload = file.dropFirst(headerLength)
        var checksum = Checksum()
        checksum.update(payload)
        guard checksum.value == expected else { return nil }
        var reader = ByteReader(payload)
        guard let uri = reader.text(), let count: UInt32 = reader.number() else { return nil }
        let key = CacheKey(uri: uri)
        var entries: [CacheEntry] = []
        for _ in 0..<count {
            guard let entry = decode(&reader, key: key) else { return nil }
            entries.append(entry)
        }
        return (key, entries)
    }

    // MARK: One variant

    private static func encode(_ entry: CacheEntry, into writer: inout ByteWriter) {
        writer.number(entry.identifier)
        writer.number(UInt16(truncatingIfNeeded: entry.head.status.code))
        writer.fields(entry.head.headerFields)
        writer.number(entry.times.request.bitPattern)
        writer.number(entry.times.response.bitPattern)
        writer.number(entry.freshness.lifetime.bitPattern)
        writer.number(entry.freshness.initialAge.bitPattern)
        writer.flag(entry.freshness.isHeuristic)
        writer.optional(entry.variant.credential)
        writer.number(UInt32(entry.variant.selecting.count))
        for (name, value) in entry.variant.selecting {
            writer.text(name)
            writer.optional(value)
        }
        writer.flag(entry.part != nil)
        if let part = entry.part {
            writer.number(UInt64(bitPattern: part.first))
            writer.number(UInt64(bitPattern: part.completeLength ?? -1))
            writer.flag(part.reachesEnd)
        }
        writer.flag(entry.trailers != nil)
        if let trailers = entry.trailers { writer.fields(trailers) }
        writer.number(UInt64(bitPattern: entry.contentLength))
        if case .inline(let data) = entry.location {
            writer.flag(true)
            writer.data(data)
        } else {
            writer.flag(false)
            writer.number(entry.location.checksum)
        }
    }

    private static func decode(_ reader: inout ByteReader, key: CacheKey) -> CacheEntry? {
        guard let identifier: UInt64 = reader.number(), let status: UInt16 = reader.number(),
            (100...999).contains(status), let fields = reader.fields(), let request: UInt64 = reader.number(),
            let response: UInt64 = reader.number(), let lifetime: UInt64 = reader.number(),
            let initialAge: UInt64 = reader.number(), let isHeuristic = reader.flag(),
            let credential = reader.optional(), let variant = reader.selecting(), let hasPart = reader.flag(),
            // Numbers that no encoder has written would trap where they are converted or added.
            [request, response, lifetime, initialAge].allSatisfy({ Double(bitPattern: $0).isFinite })
        else { return nil }
        var part: ContentPart?
        if hasPart {
            guard let first: UInt64 = reader.number(), let complete: UInt64 = reader.number(),
                let reachesEnd = reader.flag(), first <= UInt64(Int64.max)
            else { return nil }
            let length = Int64(bitPattern: complete)
            part = ContentPart(
                first: Int64(bitPattern: first), completeLength: length < 0 ? nil : length, reachesEnd: reachesEnd)
        }
        guard let hasTrailers = reader.flag() else { return nil }
        var trailers: HTTPFields?
        if hasTrailers {
            guard let fields = reader.fields() else { return nil }
            trailers = fields
        }
        guard let length: UInt64 = reader.number(), length <= UInt64(Int64.max), let isInline = reader.flag() else {
            return nil
        }
        let location: ContentLocation
        if isInline {
            guard let data = reader.data(), UInt64(data.count) == length else { return nil }
            location = .inline(data)
        } else {
            guard let checksum: UInt64 = reader.number() else { return nil }
            location = .file(checksum: checksum)
        }
        return CacheEntry(
            key: key,
            variant: CacheVariant(selecting: variant, credential: credential),
            head: HTTPResponse(status: .init(code: Int(status)), headerFields: fields),
            times: ExchangeTimes(request: Double(bitPattern: request), response: Double(bitPattern: response)),
            freshness: Freshness(
                lifetime: Double(bitPattern: lifetime), isHeuristic: isHeuristic,
                initialAge: Double(bitPattern: initialAge)),
            part: part,
            trailers: trailers,
            contentLength: Int64(bitPattern: length),
            location: location,
            identifier: identifier
        )
    }
}

/// The location of an entry's content.
enum ContentLocation: Sendable {
    /// Known to the store only.
    case unknown
    /// In the file of the head.
    case inline(Data)
    /// In a separate file.
    case file(checksum: UInt64)

    var checksum: UInt64 {
        if case .file(let checksum) = self { checksum } else { 0 }
    }
}
