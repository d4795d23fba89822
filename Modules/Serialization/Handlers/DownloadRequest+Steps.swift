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
        append(DownloadStep(request: self, serializer: serializer, deliver: deliver).responseStep, start)
    }
}

/// The step of a handler whose serializer reads a file.
private struct DownloadStep<Serializer: DownloadResponseSerializerProtocol>: HandlerStep {
    let request: DownloadRequest
    let serializer: Serializer
    let deliver: @Sendable (AFDownloadResponse<Serializer.SerializedObject>) -> Void

    /// None: a download's results may change until it delivers, as by resume data.
    var parts: Void { () }

    func serialize(_ parts: Void) throws -> Serializer.SerializedObject {
        // Most serializers read the file, which may take long.
        request.deliverWaitingHandlers()
        return try serializer.serializeDownload(
            request: request.request, response: request.response, fileURL: request.fileURL, error: request.error)
    }

    func respond(_ parts: Void, _ made: Serialized<Serializer.SerializedObject>) -> @Sendable () -> Void {
        let response = DownloadResponse(
            request: request.request,
            response: request.response,
            fileURL: request.fileURL,
            resumeData: request.resumeData,
            metrics: request.metrics,
            serializationDuration: made.duration,
            result: made.result
        )
        request.notify { $0.request(request, didParseResponse: response) }
        return { [deliver] in deliver(response) }
    }
}
