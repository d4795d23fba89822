public import AirframeCore
internal import AirframeTransport
internal import Foundation

extension UploadRequest {
    /// Continues the upload where it broke off, instead of sending all of it again.
    ///
    /// ```swift
    /// let response = await AF.upload(file, to: url).resumable().validate().serializingData().response
    /// ```
    ///
    /// The server is asked how much it has, and gets the rest. The request has the server's response to the whole;
    /// where that was lost and the server has everything, its response to the question. Needs content that can be read
    /// from any offset: data, or a file, which must not change meanwhile. Other content is sent as usual. An upload
    /// that is to outlive the process belongs into a ``TransferQueue``.
    ///
    /// - Parameters:
    ///   - uploadProtocol: How the upload is resumed. With ``ResumableUploadProtocol/ietf`` a server that does not know
    ///     the draft answers as it always does.
    ///   - attempts: The most failures in a row without progress, before the request fails.
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
