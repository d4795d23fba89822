internal import AirframeLayers
internal import AirframeTransport
internal import FoundationEssentials
internal import HTTPTypes

/// Stores content while it arrives, or collects it for a `CacheDecision`.
///
/// A failure of the store ends the recording and leaves the response intact.
struct StoreRecorder: Sendable {
    private enum Target: Sendable {
        case writer(any CacheWriter)
        case decision(@Sendable (CacheableResponse) async -> CacheableResponse?, [Data])
        case nothing
    }

    private var entry: CacheEntry
    private var target: Target
    private var length: Int64 = 0
    private let exchange: CacheExchange
    /// Stored content that follows the content that arrives.
    private let suffix: Data
    /// The part of a representation that the content that arrives must be.
    private let part: ContentRange?
    private let prefixLength: Int64
    /// The length of all content, if it is known.
    private let totalLength: Int64?

    /// Begins to record a response.
    ///
    /// - Parameters:
    ///   - entry: The response.
    ///   - exchange: The request that it answers.
    ///   - expectedLength: The length of the content that arrives.
    ///   - part: The part of a representation that the content that arrives must be; `nil` if it is no part.
    ///   - prefix: Stored content that precedes it.
    ///   - suffix: Stored content that follows it.
    /// - Returns: `nil` when the store does not take content of that length.
    init?(
        _ entry: CacheEntry,
        _ exchange: CacheExchange,
        expectedLength: Int64?,
        part: ContentRange? = nil,
        prefix: Data = Data(),
        suffix: Data = Data()
    ) async {
        self.entry = entry
        self.exchange = exchange
        self.suffix = suffix
        self.part = part
        prefixLength = Int64(prefix.count)
        let (total, isTooLarge) = Self.total(expectedLength, Int64(prefix.count + suffix.count))
        guard !isTooLarge else { return nil }
        totalLength = total
        let decision = exchange.request.hasValues ? exchange.request[CacheDecision.self] : nil
        if let decide = decision ?? exchange.request.lateDecisions?.cacheDecision {
            guard total ?? 0 <= exchange.layer.policy.decisionLimit else { return nil }
            target = .decision(decide, [])
        } else {
            do throws(CacheStoreError) {
                guard let writer = try await exchange.layer.store.writer(for: entry, expectedLength: total) else {
                    return nil
                }
                target = .writer(writer)
            } catch {
                exchange.report(.cacheFailed, error.description)
                return nil
            }
        }
        if !prefix.isEmpty { await append(prefix) }
    }

    /// Returns the sum of a length that a server announced and of a stored one, and whether it exceeds 64 bits.
    private static func total(_ announced: Int64?, _ stored: Int64) -> (Int64?, isTooLarge: Bool) {
        guard let announced else { return (nil, false) }
        let (sum, isTooLarge) = announced.addingReportingOverflow(stored)
        return (sum, isTooLarge)
    }

    /// Takes the next bytes.
    mutating func append(_ data: Data) async {
        length += Int64(data.count)
        switch target {
        case .nothing: return
        case .decision(let decide, var pieces):
            target = .nothing
            guard length <= exchange.layer.policy.decisionLimit else { return }
            pieces.append(data)
            target = .decision(decide, pieces)
        case .writer(let writer):
            do throws(CacheStoreError) {
                if try await !writer.append(data) { target = .nothing }
            } catch {
                exchange.report(.cacheFailed, error.description)
                target = .nothing
            }
        }
    }

    /// Makes the response visible, unless it is a part with another length than its `Content-Range` says.
    mutating func finish(trailers: HTTPFields?) async {
        if let part, !part.describes(length - prefixLength, in: entry.head) {
            target = .nothing
            exchange.report(
                .notStoredInCache,
                "the part's content has \(length - prefixLength) bytes, and its Content-Range \(part.length)")
            return
        }
        if !suffix.isEmpty { await append(suffix) }
        entry.contentLength = length
        entry.trailers = trailers.map {
            StoredFields.storing(HTTPResponse(status: .ok, headerFields: $0), policy: exchange.layer.policy)
                .headerFields
        }
        await commit()
    }

    /// Ends the recording after the content was cut off. The bytes received are stored as a part if the rest can be
    /// requested later (RFC 9111 §3.3).
    mutating func fail() async {
        guard case .writer = target, entry.part == nil, length > 0, suffix.isEmpty, entry.head.status.code == 200,
            Validation.strongTag(entry.head) != nil,
            entry.head.headerFields[.acceptRanges]?.lowercased().contains("bytes") == true
        else { return }
        entry.contentLength = length
        entry.part = ContentPart(first: 0, completeLength: totalLength, reachesEnd: false)
        await commit()
    }

    private mutating func commit() async {
        if case .nothing = target { return }
        // The response shows the resource before the change (RFC 9111 §4.4).
        guard !exchange.isOutdated(entry) else {
            target = .nothing
            exchange.report(.notStoredInCache, "another request has changed the resource since this one was sent")
            return
        }
        do throws(CacheStoreError) {
            switch target {
            case .nothing: return
            case .writer(let writer): try await writer.commit(entry)
            case .decision(let decide, let pieces):
                let content = pieces.count == 1 ? pieces[0] : Data(pieces.joined())
                try await commit(content, after: decide)
            }
            // The request that changed it may have removed the stored responses before this one was among them.
            if exchange.isOutdated(entry) { try await exchange.layer.store.remove(entry) }
        } catch {
            exchange.report(.cacheFailed, error.description)
        }
    }

    private mutating func commit(
        _ content: Data,
        after decide: @Sendable (CacheableResponse) async -> CacheableResponse?
    ) async throws(CacheStoreError) {
        var (head, shown) = (entry.head, content)
        if head.headerFields.contains(.contentEncoding), let decoding = exchange.layer.decoding,
            let decoded = await decoding(head, content)
        {
            (head, shown) = decoded
        }
        let candidate = CacheableResponse(head: head, data: shown, answering: exchange.request.head)
        guard let chosen = await decide(candidate), chosen.storage != .nowhere else { return }
        var kept = content
        if chosen.data != shown || chosen.head != head {
            // The content coding no longer applies to content that a handler has changed.
            kept = chosen.data
            var changed = chosen.head
            changed.headerFields[.contentEncoding] = nil
            changed.headerFields[.contentLength] = "\(kept.count)"
            entry.replace(
                head: StoredFields.storing(changed, policy: exchange.layer.policy), times: entry.times,
                policy: exchange.layer.policy)
        }
        entry.isMemoryOnly = entry.isMemoryOnly || chosen.storage == .memory
        entry.userInfo = chosen.userInfo
        entry.contentLength = Int64(kept.count)
        guard let writer = try await exchange.layer.store.writer(for: entry, expectedLength: entry.contentLength)
        else { return }
        guard try await writer.append(kept) else { return }
        try await writer.commit(entry)
    }
}
