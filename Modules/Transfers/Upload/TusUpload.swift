internal import AirframeTransport
internal import Foundation
internal import HTTPTypes
internal import Synchronization

/// An upload by tus 1.0: creation, offset and append, with the extensions `checksum` and `concatenation`.
struct TusUpload: Sendable {
    private static let version = "1.0.0"
    /// The status for content that does not match its checksum.
    private static let checksumMismatch = 460

    private let exchanges: UploadExchanges
    private let upload: ResumableUpload
    private let options: TusOptions

    init(_ exchanges: UploadExchanges, _ options: TusOptions) {
        self.exchanges = exchanges
        upload = exchanges.upload
        self.options = options
    }

    /// Uploads the missing bytes, and returns the last response with the upload's `Location`.
    func run() async throws -> TransportResponse {
        let algorithm = try await discover()
        let count = upload.record.parts.count
        if count == 1 { return try await run(0, algorithm) }
        let refusal = try await withThrowingTaskGroup(of: TransportResponse?.self) { group in
            for part in 0..<count {
                group.addTask {
                    let response = try await run(part, algorithm)
                    return (200..<300).contains(response.head.status.code) ? nil : response
                }
            }
            return try await group.reduce(nil as TransportResponse?) { $0 ?? $1 }
        }
        return if let refusal { refusal } else { try await concatenate() }
    }

    // MARK: Discovery

    /// Requests the server's extensions if the upload needs any.
    ///
    /// - Returns: The hash function of checksums; `nil` for no checksums.
    private func discover() async throws -> TransferChecksum.Algorithm? {
        let hasBegun = upload.record.parts.contains { $0.location != nil }
        guard options.sendsChecksums || upload.record.parts.count > 1 && !hasBegun else { return nil }
        let response = try await exchanges.send(step(.options, nil))
        let fields = response.head.headerFields
        await exchanges.discard(response)
        func words(_ name: HTTPField.Name) -> [String] {
            (fields[name] ?? "").split(separator: ",").map { String($0).trimmingSpaces.lowercased() }
        }
        if let most = fields.byteCount(.tusMaxSize), upload.content.length > most {
            throw TransferError(
                .tooLarge, "the upload has \(upload.content.length) bytes; the server accepts \(most)")
        }
        let extensions = words(.tusExtension)
        if !extensions.contains("concatenation"), !hasBegun, upload.record.parts.count > 1 {
            let length = upload.content.length
            try await upload.update { $0 = UploadRecord(length: length, mark: $0.mark) }
        }
        guard options.sendsChecksums, extensions.contains("checksum") else { return nil }
        let offered = words(.tusChecksumAlgorithm)
        return TransferChecksum.Algorithm.allCases.first { offered.contains(Self.name($0)) }
    }

    private static func name(_ algorithm: TransferChecksum.Algorithm) -> String {
        algorithm.rawValue.replacing("-", with: "")
    }

    // MARK: One part

    private func run(_ part: Int, _ algorithm: TransferChecksum.Algorithm?) async throws -> TransportResponse {
        let losses = Mutex(0)
        return try await upload.persist(with: part, on: exchanges.transport.clock) {
            guard let location = upload.record.parts[part].location else { return try await create(part, algorithm) }
            if let response = try await resume(part, location, algorithm) { return response }
            let count = losses.withLock { count in
                count += upload.record.parts[part].location == nil ? 1 : 0
                return count
            }
            guard count < 3 else { throw exchanges.broken("the server lost the upload \(count) times") }
            return nil
        }
    }

    private func create(
        _ part: Int,
        _ algorithm: TransferChecksum.Algorithm?
    ) async throws -> TransportResponse? {
        let record = upload.record
        var step = step(.post, nil)
        step.part = part
        step.fields[.uploadLength] = "\(record.parts[part].length)"
        step.fields[.uploadMetadata] = metadata
        if record.parts.count > 1 { step.fields[.uploadConcat] = "partial" }
        let response = try await exchanges.send(step)
        let code = response.head.status.code
        guard code == 201 else {
            guard (200..<300).contains(code) else {
                guard Self.isTransient(code) else { return response }
                throw exchanges.unavailable(response)
            }
            throw exchanges.broken("the server answered \(code) to its creation")
        }
        guard let location = exchanges.location(in: response.head.headerFields, answering: response.request) else {
            throw exchanges.broken("the server named no upload resource")
        }
        try await upload.update { $0.parts[part].location = location }
        guard record.parts[part].length > 0 else {
            // An empty part has nothing to append.
            return try await completed(part, response, location)
        }
        await exchanges.discard(response)
        return try await append(part, location, from: 0, algorithm)
    }

    private func resume(
        _ part: Int,
        _ location: URL,
        _ algorithm: TransferChecksum.Algorithm?
    ) async throws -> TransportResponse? {
        let length = upload.record.parts[part].length
        let response = try await exchanges.send(step(.head, location, part))
        let fields = response.head.headerFields
        let code = response.head.status.code
        switch code {
        case 200..<300: break
        case 403, 404, 410:
            try await upload.update { $0.forgetPart(part) }
            return nil
        case _ where Self.isTransient(code): throw exchanges.unavailable(response)
        default: return response
        }
        guard let offset = fields.byteCount(.uploadOffset) else { throw exchanges.broken("the server names no offset") }
        let announced = fields.byteCount(.uploadLength) ?? length
        guard offset <= length, announced == length else {
            try await upload.update { $0.forgetPart(part) }
            throw exchanges.broken("the server has \(offset) of \(announced) bytes, and the content has \(length)")
        }
        try await upload.update { $0.parts[part].offset = offset }
        guard offset < length else { return try await completed(part, response, location) }
        return try await append(part, location, from: offset, algorithm)
    }

    private func append(
        _ part: Int,
        _ location: URL,
        from start: Int64,
        _ algorithm: TransferChecksum.Algorithm?
    ) async throws -> TransportResponse? {
        let (first, length) = (upload.record.parts[part].start, upload.record.parts[part].length)
        var offset = start
        while true {
            let count = min(length - offset, options.longestPiece)
            var step = step(.patch, location, part)
            step.bytes = (offset, count)
            step.fields[.uploadOffset] = "\(offset)"
            step.fields[.contentType] = "application/offset+octet-stream"
            if let algorithm {
                let checksum = try await upload.content.checksum(algorithm, from: first + offset, count: count)
                step.fields[.uploadChecksum] = "\(Self.name(algorithm)) \(checksum.bytes.base64EncodedString())"
            }
            let response = try await exchanges.send(step)
            let code = response.head.status.code
            switch code {
            case 200..<300: break
            case 404, 410:
                await exchanges.discard(response)
                try await upload.update { $0.forgetPart(part) }
                return nil
            case 409, Self.checksumMismatch,
                _ where Self.isTransient(code):
                await exchanges.discard(response)
                throw exchanges.unavailable(response)
            default: return response
            }
            guard let reached = response.head.headerFields.byteCount(.uploadOffset), reached <= offset + count,
                reached > offset
            else { throw exchanges.broken("the server names no offset after a part") }
            try await upload.update { $0.parts[part].offset = reached }
            offset = reached
            if offset == length { return try await completed(part, response, location) }
            await exchanges.discard(response)
        }
    }

    private func completed(
        _ part: Int,
        _ response: TransportResponse,
        _ location: URL
    ) async throws -> TransportResponse {
        try await upload.update { $0.isComplete = $0.parts.count == 1 }
        var response = response
        response.head.headerFields[.location] = location.absoluteString
        return response
    }

    // MARK: All parts

    /// Concatenates the parts on the server (extension `concatenation`).
    private func concatenate() async throws -> TransportResponse {
        try await upload.persist(with: 0, on: exchanges.transport.clock) {
            var step = step(.post, nil)
            let locations = upload.record.parts.compactMap { $0.location?.absoluteString }
            step.fields[.uploadConcat] = "final;" + locations.joined(separator: " ")
            step.fields[.uploadMetadata] = metadata
            let response = try await exchanges.send(step)
            if Self.isTransient(response.head.status.code) { throw exchanges.unavailable(response) }
            if response.head.status.code == 201 { try await upload.update { $0.isComplete = true } }
            return response
        }
    }

    private func step(_ method: HTTPRequest.Method, _ location: URL?, _ part: Int = 0) -> UploadExchanges.Step {
        var step = UploadExchanges.Step(method: method, location: location)
        step.part = part
        step.fields[.tusResumable] = Self.version
        return step
    }

    /// Keys are sorted, so that the same upload always makes the same request.
    private var metadata: String? {
        guard !options.metadata.isEmpty else { return nil }
        return options.metadata.sorted { $0.key < $1.key }
            // A key without a value stands alone.
            .map { $0.value.isEmpty ? $0.key : "\($0.key) \(Data($0.value.utf8).base64EncodedString())" }
            .joined(separator: ",")
    }

    private static func isTransient(_ code: Int) -> Bool {
        [408, 423, 425, 429].contains(code) || (500...599).contains(code)
    }
}
