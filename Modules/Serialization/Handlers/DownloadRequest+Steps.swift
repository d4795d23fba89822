internal import AirframeCore
internal import Foundation

extension DownloadRequest {
    /// Adds a handler that receives the file's location.
    func appendRaw(_ start: PipelineStart, deliver: @escaping @Sendable (AFDownloadResponse<URL?>) -> Void) {
        append(
            ResponseStep { [self] in
                let fileURL = fileURL
                let response = AFDownloadResponse<URL?>(
                    request: request,
                    response: response,
                    fileURL: fileURL,
                    resumeData: resumeData,
                    metrics: metrics,
                    serializationDuration: 0,
                    result: error.map(Result.failure) ?? .success(fileURL)
                )
                notify { $0.request(self, didParseResponse: response) }
                return .over(.deliver { deliver(response) })
            },
            start
        )
    }

    /// Adds a handler that receives the value that `serializer` makes of the file.
    func append<Serializer: DownloadResponseSerializerProtocol>(
        _ serializer: Serializer,
        _ start: PipelineStart,
        deliver: @escaping @Sendable (AFDownloadResponse<Serializer.SerializedObject>) -> Void
    ) {
        append(
            step { [self] in
                // Most serializers read the file, which may take long.
                deliverWaitingHandlers()
                return try serializer.serializeDownload(
                    request: request, response: response, fileURL: fileURL, error: error)
            } respond: { [self] made in
                let response = DownloadResponse(
                    request: request,
                    response: response,
                    fileURL: fileURL,
                    resumeData: resumeData,
                    metrics: metrics,
                    serializationDuration: made.duration,
                    result: made.result
                )
                notify { $0.request(self, didParseResponse: response) }
                return { deliver(response) }
            },
            start
        )
    }
}
