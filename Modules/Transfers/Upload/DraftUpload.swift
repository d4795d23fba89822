internal import AirframeAuthentication
internal import AirframeTransport
internal import Foundation
internal import HTTPTypes
internal import Synchronization

/// An upload by draft-ietf-httpbis-resumable-upload, interop versions 6 and 3.
///
/// The creation is an ordinary request with all content. A server that supports the draft announces the upload
/// resource with `104 (Upload Resumption Supported)`; from then on the upload can be resumed. Any other server
/// responds as to any upload.
struct DraftUpload: Sendable {
    private let exchanges: UploadExchanges
    private let upload: ResumableUpload
    /// The limits that the server announced last.
    private let limits = UploadLimitsBox()

    init(_ exchanges: UploadExchanges) {
        self.exchanges = exchanges
        upload = exchanges.upload
    }

    /// Uploads the missing bytes, and returns the server's response to the whole.
    func run() async throws -> TransportResponse {
        let losses = Mutex(0)
        return try await upload.persist(with: 0, on: exchanges.transport.clock) {
            let location = upload.record.parts[0].location
            let response = if let location { try await resume(location) } else { try await create() }
            if let response { return response }
            // Parts follow a creation. Any other step without a response means that the resource is gone or has moved.
            if location == nil, upload.record.parts[0].location != nil { return nil }
            let count = losses.withLock { count in
                count += 1
                return count
            }
            guard count < 3 else { throw exchanges.broken("the server lost the upload \(count) times") }
            return nil
        }
    }

    // MARK: Creation

    private func create() async throws -> TransportResponse? {
        let version = upload.record.version
        var step = UploadExchanges.Step(method: exchanges.request.head.method)
        step.keepsContentFields = true
        step.bytes = (0, upload.content.length)
        step.fields[.uploadDraftInteropVersion] = "\(version.rawValue)"
        version.setComplete(true, in: &step.fields)
        if version == .six { step.fields[.uploadLength] = "\(upload.content.length)" }
        if let digest = upload.digest { step.fields[.reprDigest] = DigestField.value(digest) }
        let response: TransportResponse
        do {
            response = try await exchanges.send(step) { hear($0) }
        } catch let error as TransportError {
            try await afterFailedCreation(error)
            throw error
        }
        return try await judge(response, isLast: true, end: upload.content.length)
    }

    /// Decides whether a creation without a response may be repeated.
    private func afterFailedCreation(_ error: TransportError) async throws {
        guard upload.record.parts[0].location == nil else { return }
        // The server may speak the other version. A server that speaks neither has seen an ordinary request. It must
        // not be repeated unless nothing of it was processed or its method allows repetition (RFC 9110 §9.2.2).
        try await upload.update { $0.version = $0.version.alternative }
        guard error.processing != .unknown || exchanges.request.head.method == .put else {
            throw TransportError(
                .bodyFailed, phase: error.phase, processing: error.processing,
                message: "the upload was interrupted before the server had said how to continue it: \(error.message)",
                origin: error.origin,
                underlying: TransferError(
                    .network, "the upload broke off before it could be continued: \(error.message)"))
        }
    }

    /// Reads `104 (Upload Resumption Supported)`.
    private func hear(_ response: HTTPResponse) {
        guard response.status.code == 104 else { return }
        let fields = response.headerFields
        limits.take(fields)
        let location = exchanges.location(in: fields, answering: exchanges.request.head)
        let offset = fields.byteCount(.uploadOffset)
        let length = upload.content.length
        upload.note { record in
            if let version = DraftVersion(fields) { record.version = version }
            if let location { record.parts[0].location = location }
            if let offset, offset <= length { record.parts[0].offset = max(record.parts[0].offset, offset) }
        }
    }

    // MARK: Continuation

    /// Requests the offset and appends the rest. Returns `nil` if the step must be repeated.
    private func resume(_ location: URL) async throws -> TransportResponse? {
        let version = upload.record.version
        var step = UploadExchanges.Step(method: .head, location: location)
        step.fields[.uploadDraftInteropVersion] = "\(version.rawValue)"
        let response = try await exchanges.send(step)
        let fields = response.head.headerFields
        switch response.head.status.code {
        case 200..<300: break
        case 404, 410:
            try await forget()
            return nil
        case 408, 425, 429, 500..<600: throw exchanges.unavailable(response)
        default: return response
        }
        limits.take(fields)
        guard let offset = fields.byteCount(.uploadOffset) else { throw exchanges.broken("the server names no offset") }
        let length = upload.content.length
        let announced = fields.byteCount(.uploadLength) ?? length
        let isComplete = version.isComplete(fields) ?? false
        guard offset <= length, announced == length, !isComplete || offset == length else {
            try await forget()
            throw exchanges.broken(
                "the server has \(offset) of \(announced) bytes, and the content has \(length)")
        }
        try await upload.update { $0.parts[0].offset = offset }
        guard !isComplete else {
            try await upload.update { $0.isComplete = true }
            return response
        }
        return try await append(location, from: offset)
    }

    private func append(_ location: URL, from start: Int64) async throws -> TransportResponse? {
        let version = upload.record.version
        let length = upload.content.length
        var offset = start
        while true {
            let limits = limits.value
            if let most = limits.maximumSize, length > most {
                throw TransferError(.tooLarge, "the upload has \(length) bytes; the server accepts \(most)")
            }
            let count = min(length - offset, max(1, limits.maximumAppendSize ?? .max))
            let end = offset + count
            var step = UploadExchanges.Step(method: .patch, location: location)
            step.bytes = (offset, count)
            step.fields[.uploadDraftInteropVersion] = "\(version.rawValue)"
            step.fields[.uploadOffset] = "\(offset)"
            version.setComplete(end == length, in: &step.fields)
            if let type = version.appendType { step.fields[.contentType] = type }
            if upload.digest != nil {
                let bytes = try await upload.content.checksum(.sha256, from: offset, count: count)
                step.fields[.contentDigest] = DigestField.value(bytes)
            }
            let response = try await exchanges.send(step) { hear($0) }
            if let final = try await judge(response, isLast: end == length, end: end) { return final }
            guard upload.record.parts[0].location == location else { return nil }
            let reached = upload.record.parts[0].offset
            // Each part must add bytes, so that the number of requests is bounded.
            guard reached > offset, reached <= end else {
                throw exchanges.broken("the server has \(reached) bytes after a part from \(offset) to \(end)")
            }
            offset = reached
        }
    }

    /// Evaluates the response to a creation or an appended part. Returns `nil` if the upload is not complete.
    private func judge(_ response: TransportResponse, isLast: Bool, end: Int64) async throws -> TransportResponse? {
        let fields = response.head.headerFields
        limits.take(fields)
        let location = exchanges.location(in: fields, answering: response.request)
        let isKnown = upload.record.parts[0].location != nil
        switch response.head.status.code {
        case 200..<300:
            let isIncomplete = (DraftVersion(fields) ?? upload.record.version).isComplete(fields) == false
            guard isLast, !isIncomplete else {
                let offset = fields.byteCount(.uploadOffset) ?? end
                try await upload.update { record in
                    if record.parts[0].location == nil { record.parts[0].location = location }
                    record.parts[0].offset = min(offset, record.parts[0].length)
                }
                await exchanges.discard(response)
                guard upload.record.parts[0].location != nil else {
                    throw exchanges.broken("the server has a part of it and names no upload resource")
                }
                return nil
            }
            try await upload.update { record in
                record.parts[0].offset = record.parts[0].length
                record.isComplete = true
            }
            return response
        case 404 where isKnown, 410 where isKnown:
            await exchanges.discard(response)
            try await forget()
            return nil
        case 409 where isKnown:
            // The offset was wrong: the next step requests it again.
            await exchanges.discard(response)
            throw exchanges.unavailable(response)
        case 408, 425, 429, 500..<600:
            guard isKnown else { return response }
            await exchanges.discard(response)
            throw exchanges.unavailable(response)
        default: return response
        }
    }

    private func forget() async throws { try await upload.update { $0.forgetPart(0) } }
}

/// The limits of a server (`Upload-Limit`), in bytes.
struct UploadLimits: Sendable, Hashable {
    var maximumSize: Int64?
    var maximumAppendSize: Int64?

    /// Parses the field; `nil` if it is missing or malformed.
    init?(_ fields: HTTPFields) {
        guard let text = fields[.uploadLimit], let dictionary = try? StructuredFieldParser.dictionary(text) else {
            return nil
        }
        func number(_ key: String) -> Int64? {
            guard case .item(let item) = dictionary[key], case .integer(let value) = item.value, value >= 0 else {
                return nil
            }
            return Int64(value)
        }
        maximumSize = number("max-size")
        maximumAppendSize = number("max-append-size")
    }

    init() {}
}

/// The limits that the server announced last.
private final class UploadLimitsBox: Sendable {
    // Guards the limits.
    private let limits = Mutex(UploadLimits())

    var value: UploadLimits { limits.withLock { $0 } }

    func take(_ fields: HTTPFields) {
        guard let named = UploadLimits(fields) else { return }
        limits.withLock { $0 = named }
    }
}
