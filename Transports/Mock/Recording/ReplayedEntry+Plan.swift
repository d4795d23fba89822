internal import AirframeHAR
internal import AirframeTransport
internal import FoundationEssentials
internal import HTTPTypes

extension HAR.Entry {
    /// Returns the entry as an answer that takes no time.
    func replyPlan() throws(HAR.ReadingError) -> ReplyPlan {
        var plan = ReplyPlan()
        plan.framing = .open
        plan.httpVersion = HTTPVersion(recorded: response.httpVersion)
        guard response.status >= 200 else {
            plan.fault = fault(afterBytes: 0)
            return plan
        }
        // The reader has not checked an archive from memory.
        guard response.status <= 999 else {
            throw HAR.ReadingError("\(response.status) is not a status").within("status").within("response")
        }
        let recorded: HTTPFields
        do throws(HAR.ReadingError) {
            recorded = try HTTPFields(replaying: response.headers)
            plan.trailers = try response.trailers
            plan.informational = try response.informational
        } catch {
            throw error.within("response")
        }
        plan.status = HTTPResponse.Status(code: response.status, reasonPhrase: response.statusText)
        plan.fields = recorded
        let content: Data?
        do throws(HAR.ReadingError) {
            content = try response.content.data()
        } catch {
            throw error.inResponseContent()
        }
        if response.content.custom["_contentEncoding"] == nil {
            // The recorded content is decoded, so the fields about its coding would be wrong.
            let coding = recorded[.contentEncoding]?.lowercased() ?? "identity"
            if coding != "identity", content != nil {
                plan.receivedHead = HTTPResponse(status: plan.status, headerFields: recorded)
                plan.fields[.contentEncoding] = nil
                plan.fields[.contentLength] = nil
            }
        }
        plan.body = body(content)
        if let content, Int64(content.count) != response.content.size, plan.fields[.contentLength] != nil {
            // The recorder redacted secrets in the content, so the original length would be wrong.
            plan.fields[.contentLength] = String(content.count)
        }
        if case .none = plan.body, request.method != "HEAD", plan.status.allowsContent { plan.dropLength() }
        if response.custom["_errorCode"] != nil { plan.fault = fault(afterBytes: Int64(content?.count ?? 0)) }
        return plan
    }

    private func body(_ content: Data?) -> ReplyBody {
        let recorded = response.content
        if recorded.custom["_truncated"] == true {
            let message = "the HAR holds the first \(content?.count ?? 0) of the \(recorded.size) bytes of its content"
            return .unusable(message, HAR.ContentMissing(message: message))
        }
        if let content { return content.isEmpty ? .none : .data(content) }
        // The content of a response that another exchange replaced is not read.
        let isReplaced = (300..<400).contains(response.status) || [401, 407].contains(response.status)
        guard recorded.size > 0, !isReplaced, request.method != "HEAD" else { return .none }
        let message = "the HAR does not hold the \(recorded.size) bytes of its content"
        return .unusable(message, HAR.ContentMissing(message: message))
    }

    // MARK: Failures

    /// The recorded failure, by Airframe's fields or by the messages of browsers.
    private func fault(afterBytes count: Int64) -> Fault {
        let words = response.custom["_error"]?.string ?? custom["_error"]?.string ?? response.comment
        let known = response.custom["_errorCode"]?.string.map { TransportError.Code(rawValue: $0) }
        let (code, phase) = known.map { ($0, recordedPhase) } ?? Self.guess(words ?? "")
        return Fault(
            code,
            message: response.custom["_errorMessage"]?.string ?? words
                ?? "the exchange failed, and the HAR does not say why",
            libraryMessage: response.custom["_errorLibraryMessage"]?.string,
            in: response.status == 0 ? phase : .responseBody,
            afterBytes: response.status == 0 ? 0 : count
        )
    }

    /// The phase in which the exchange failed, if every replay has it.
    private var recordedPhase: TransportPhase {
        let phase = response.custom["_errorPhase"]?.string.map { TransportPhase(rawValue: $0) } ?? .responseHead
        switch phase {
        case .pool, .resolve, .connect, .requestHead, .responseHead: return phase
        case .tls: return request.url.lowercased().hasPrefix("https:") ? phase : .connect
        case .proxy: return .connect
        default: return .responseHead
        }
    }

    private static func guess(_ words: String) -> (TransportError.Code, TransportPhase) {
        let signs: [(String, TransportError.Code, TransportPhase)] = [
            ("NAME_NOT_RESOLVED", .nameResolutionFailed, .resolve), ("UNKNOWN_HOST", .nameResolutionFailed, .resolve),
            ("CERT", .trustRefused, .responseHead), ("SSL", .tlsFailed, .responseHead),
            ("INTERNET_DISCONNECTED", .networkUnreachable, .connect), ("UNREACHABLE", .networkUnreachable, .connect),
            ("PROXY", .proxyFailed, .connect), ("CONNECTION_REFUSED", .connectFailed, .connect),
            ("TIMED_OUT", .timedOut, .responseHead), ("TIMEOUT", .timedOut, .responseHead),
            ("ABORTED", .cancelled, .responseHead),
        ]
        let sign = signs.first { words.uppercased().contains($0.0) }
        return sign.map { ($0.1, $0.2) } ?? (.connectionLost, .responseHead)
    }
}

extension HAR {
    /// The content that a recorder did not keep.
    struct ContentMissing: Error, CustomStringConvertible {
        let message: String
        var description: String { message }
    }
}

extension HAR.Response {
    fileprivate var trailers: HTTPFields? {
        get throws(HAR.ReadingError) {
            guard let value = custom["_trailers"] else { return nil }
            return try HTTPFields(replaying: value, from: "_trailers")
        }
    }

    fileprivate var informational: [HTTPResponse] {
        get throws(HAR.ReadingError) {
            guard case .array(let heads) = custom["_informational"] else { return [] }
            var result: [HTTPResponse] = []
            for head in heads {
                guard let code = head["status"]?.number, (100..<200).contains(code) else { continue }
                var fields: HTTPFields = [:]
                if let value = head["headers"] { fields = try HTTPFields(replaying: value, from: "_informational") }
                result.append(HTTPResponse(status: HTTPResponse.Status(code: Int(code)), headerFields: fields))
            }
            return result
        }
    }
}

extension ReplyPlan {
    /// Returns the plan with the duration of each phase.
    func taking(_ timings: HAR.Timings) -> ReplyPlan {
        var plan = self
        let ssl = timings.ssl ?? 0
        let phases: [(TransportPhase, Double)] = [
            (.pool, timings.blocked ?? 0), (.resolve, timings.dns ?? 0), (.connect, (timings.connect ?? 0) - ssl),
            (.tls, ssl), (.requestHead, timings.send), (.responseHead, timings.wait), (.responseBody, timings.receive),
        ]
        plan.delays = phases.compactMap { phase, milliseconds in
            guard milliseconds > 0, let duration = Duration.limit(seconds: milliseconds / 1000) else { return nil }
            return Delay(phase: phase, range: duration...duration)
        }
        plan.opensConnection = timings.connect != nil
        return plan
    }

    /// Removes the length of missing content.
    fileprivate mutating func dropLength() {
        if fields[.contentLength] != "0" { fields[.contentLength] = nil }
    }
}

extension HTTPVersion {
    /// Returns the version by its names in archives: `HTTP/2`, `h2`, `http/2.0`, …
    fileprivate init?(recorded name: String) {
        switch name.lowercased() {
        case "http/1.0": self = .http1_0
        case "http/1.1": self = .http1_1
        case "h2", "http/2", "http/2.0": self = .http2
        case "h3", "http/3", "http/3.0": self = .http3
        default: return nil
        }
    }
}

extension HTTPFields {
    /// The fields that engines set and that recorders may omit.
    static let unrecorded: Set<HTTPField.Name> = Set(
        [.acceptEncoding, .connection, .contentLength, .transferEncoding]
            + ["Host", "Keep-Alive", "Proxy-Connection"].compactMap { HTTPField.Name($0) })

    /// The maximum number of fields of a message. `HTTPFields` traps at 65,535, and layers add a few.
    private static let replayLimit = 65_000

    /// Returns the fields of an archive without pseudo-header fields. Browsers separate several values of a field by a
    /// line feed.
    ///
    /// - Throws: ``HAR/ReadingError`` if there are too many fields for a message.
    init(replaying headers: [HAR.Header], from member: String = "headers") throws(HAR.ReadingError) {
        self.init()
        for header in headers {
            guard let name = HTTPField.Name(header.name) else { continue }
            for value in header.value.split(separator: "\n", omittingEmptySubsequences: false) {
                guard count < Self.replayLimit else {
                    let message = "the message has more than \(Self.replayLimit) header fields"
                    throw HAR.ReadingError(message).within(member)
                }
                append(HTTPField(name: name, value: String(value)))
            }
        }
    }

    /// The fields of a member that the format does not define.
    fileprivate init(replaying value: HAR.Value, from member: String) throws(HAR.ReadingError) {
        guard case .array(let pairs) = value else {
            self.init()
            return
        }
        let headers = pairs.compactMap { pair -> HAR.Header? in
            guard let name = pair["name"]?.string, let value = pair["value"]?.string else { return nil }
            return HAR.Header(name: name, value: value)
        }
        try self.init(replaying: headers, from: member)
    }
}
