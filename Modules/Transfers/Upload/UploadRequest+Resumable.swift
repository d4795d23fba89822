public import AirframeCore
internal import AirframeTransport
internal import Foundation

extension UploadRequest {
    /// Resumes the upload where it stopped, instead of sending all of it again.
    ///
    /// ```swift
    /// let response = await AF.upload(file, to: url).resumable().validate().serializingData().response
    /// ```
    ///
    /// After a failure, the request asks the server for its offset and sends the rest. The response is the server's
    /// response to the whole; if that was lost and the server has everything, it is the response to the offset
    /// request. The content must be readable from any offset: data, or a file, which must not change during the
    /// upload. Other content is sent as usual. For an upload that outlives the process use a ``TransferQueue``.
    ///
    /// - Parameters:
    ///   - uploadProtocol: The protocol that resumes the upload. With ``ResumableUploadProtocol/ietf``, a server that
    ///     does not support the draft responds as to any upload.
    ///   - attempts: The maximum number of consecutive failures without progress before the request fails.
    @discardableResult
    public func resumable(using uploadProtocol: ResumableUploadProtocol = .ietf, attempts: Int = 5) -> Self {
        setExchanger { request, transport async throws(TransportError) in
            guard let content = UploadContent(request.body) else { return try await transport.send(request) }
            var parts = 1
            if case .tus(let options) = uploadProtocol { parts = min(max(1, options.parallelParts), 64) }
            let record = UploadRecord(
                length: content.length, parts: parts,
                mark: try content.path.map { path throws(TransportError) in
                    try Self.mark(path, request)
                })
            let upload = ResumableUpload(
                content, using: uploadProtocol, continuing: record, attempts: max(1, attempts))
            return try await upload.exchange(request, over: transport)
        }
        return self
    }

    private static func mark(_ path: String, _ request: TransportRequest) throws(TransportError) -> FileMark {
        do throws(TransferError) {
            return try FileMark(path: path)
        } catch {
            throw TransportError(
                .bodyFailed, phase: .layer, processing: .notSent, message: error.message,
                origin: Origin(request.head), underlying: error)
        }
    }
}
