package import AirframeTransport
internal import FoundationEssentials
internal import HTTPTypes

extension HAR.ExchangeRecord {
    /// Returns the exchange as an entry without secrets.
    ///
    /// - Parameters:
    ///   - options: The limits and the redaction.
    ///   - clock: The clock of the events' instants.
    ///   - page: The page of the entry.
    package func entry(_ options: HAR.RecordingOptions, clock: any TransportClock, page: String?) -> HAR.Entry {
        let timings = self.timings
        let connection = timeline.connection
        let startedDateTime = clock.date(at: timeline.first)
        var entry = HAR.Entry(
            pageref: page,
            startedDateTime: startedDateTime,
            time: timings.roundedTotal,
            request: harRequest(options),
            response: harResponse(options, startedDateTime: startedDateTime),
            timings: timings,
            serverIPAddress: serverAddress,
            connection: connection.map { "\($0.id)" },
            comment: remarks.isEmpty ? nil : remarks.joined(separator: "; "),
            custom: custom
        )
        if let tls = timeline.tls ?? connection?.tls {
            entry.custom["_tls"] = ["version": .string("\(tls.version)"), "cipherSuite": .string(tls.cipherSuite)]
        }
        if let id = connection?.streamID { entry.custom["_streamId"] = .number(Double(id)) }
        if connection?.isProxied == true { entry.custom["_isProxied"] = true }
        if !webSocketMessages.isEmpty {
            entry.custom["_resourceType"] = "websocket"
            entry.custom["_webSocketMessages"] = .array(webSocketMessages)
        }
        if timeline.isFromCache {
            entry.custom["_fromCache"] = true
            entry.cache.beforeRequest = HAR.CacheState(
                lastAccess: clock.date(at: timeline.first),
                eTag: response?.headerFields[.eTag] ?? "",
                hitCount: 1
            )
        }
        if !timeline.cacheRemarks.isEmpty {
            entry.cache.comment = options.redaction.sentence(timeline.cacheRemarks.joined(separator: "; "))
        }
        return entry
    }

    private var serverAddress: String? {
        switch address {
        case .ip(let address, _): address
        case .unix, nil: nil
        }
    }

    private var spokenVersion: String { timeline.connection?.httpVersion.rawValue ?? "unknown" }

    // MARK: Request

    private func harRequest(_ options: HAR.RecordingOptions) -> HAR.Request {
        let connection = timeline.connection
        let url = "\(request.scheme ?? "http")://\(request.authority ?? "")\(request.path ?? "/")"
        var result = HAR.Request(
            method: request.method.rawValue,
            url: options.redaction.url(url),
            httpVersion: spokenVersion,
            cookies: HAR.Cookie.sent(in: request.headerFields, options.redaction),
            headers: HAR.Header.fields(request.headerFields, options.redaction),
            queryString: HAR.Header.query(of: url, options.redaction),
            headersSize: timeline.requestHeadBytes.map(Int64.init),
            bodySize: timeline.requestBodyBytes
        )
        // HTTP/1.1 has this field in the head on the wire; later versions replace it by a pseudo-field (RFC 9113
        // §8.3.1).
        let needsHost =
            ![.http2, .http3].contains(connection?.httpVersion) && !result.headers.contains { $0.isHost }
        if needsHost, let authority = request.authority {
            let host =
                authority.utf8.split(separator: UInt8(ascii: "@")).last.map { String(Substring($0)) } ?? authority
            result.headers.insert(HAR.Header(name: "Host", value: host), at: 0)
        }
        if let requestTrailers {
            result.custom["_trailers"] = .array(HAR.Header.fields(requestTrailers, options.redaction).map(\.pair))
        }
        if timeline.requestBodyBytes > 0 || requestBody?.byteCount ?? 0 > 0 {
            result.postData = HAR.PostData(
                requestBody,
                mimeType: request.headerFields[.contentType] ?? "",
                sentSize: timeline.requestBodyBytes,
                options
            )
        }
        return result
    }

    // MARK: Response

    private func harResponse(_ options: HAR.RecordingOptions, startedDateTime: Date) -> HAR.Response {
        var result = HAR.Response(status: 0, httpVersion: spokenVersion, bodySize: 0)
        if let response {
            let fields = response.headerFields
            result.status = response.status.code
            result.statusText = response.status.reasonPhrase
            result.cookies = HAR.Cookie.set(in: fields, at: startedDateTime, options.redaction)
            result.headers = HAR.Header.fields(fields, options.redaction)
            result.redirectURL = fields[.location].map { options.redaction.value($0, of: .location) } ?? ""
            result.headersSize = timeline.responseHeadBytes.map(Int64.init)
            result.bodySize = timeline.isFromCache ? 0 : timeline.responseBodyBytes
            result.content = HAR.Content(
                responseBody,
                mimeType: fields[.contentType],
                receivedSize: timeline.responseBodyBytes,
                decodedSize: timeline.decodedBodyBytes,
                remainingCoding: remainingCoding,
                options
            )
            if let trailers = timeline.trailers {
                result.custom["_trailers"] = .array(HAR.Header.fields(trailers, options.redaction).map(\.pair))
            }
        }
        if !timeline.informationalResponses.isEmpty {
            result.custom["_informational"] = .array(
                timeline.informationalResponses.map { head in
                    [
                        "status": .number(Double(head.status.code)),
                        "headers": .array(HAR.Header.fields(head.headerFields, options.redaction).map(\.pair)),
                    ]
                })
        }
        let transferred = (result.headersSize ?? 0) + (result.bodySize ?? 0)
        result.custom["_transferSize"] = .number(Double(transferred))
        if let failure { result.note(failure, options.redaction) }
        return result
    }
}

extension HAR.Response {
    /// Records why the response is missing or incomplete. ``HAR/Response/custom`` can restore the error.
    fileprivate mutating func note(_ failure: TransportError, _ redaction: RedactionPolicy) {
        custom["_error"] = .string(redaction.url(failure.description))
        custom["_errorCode"] = .string(failure.code.rawValue)
        custom["_errorPhase"] = .string(failure.phase.rawValue)
        custom["_errorMessage"] = .string(redaction.url(failure.message))
        if let words = failure.libraryMessage { custom["_errorLibraryMessage"] = .string(redaction.url(words)) }
    }
}

extension HAR.Header {
    fileprivate var isHost: Bool { name.lowercased() == "host" }
    fileprivate var pair: HAR.Value { ["name": .string(name), "value": .string(value)] }
}

extension ExchangeTimeline {
    /// Records what the cache did with the request and why.
    fileprivate var cacheRemarks: [String] {
        decisions.compactMap { made in
            let reason = made.decision.reason
            return switch made.decision.kind {
            case .servedFromCache: "served: \(reason)"
            case .cacheMiss: reason
            case .storedInCache: "stored: \(reason)"
            case .notStoredInCache: "not stored: \(reason)"
            case .cacheFailed: "failed: \(reason)"
            default: nil
            }
        }
    }
}
