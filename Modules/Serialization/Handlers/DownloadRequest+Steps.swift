internal import AirframeCore
internal import Foundation

extension DownloadRequest {
    /// Adds a handler that receives the file's location.
    func appendRaw(
        _ start: PipelineStart,
        prepare: @escaping @Sendable (consuming AFDownloadResponse<URL?>) -> @Sendable () -> Void
    ) {
        append(
            ResponseStep { [self] in
                let raw: AFDownloadResponse<URL?> = response(Serialized(raw: fileURL, error: error))
                // Here the type selects the monitors' function for unserialized downloads. A generic function would
                // always call the one for values.
                notify { $0.request(self, didParseResponse: raw) }
                return .over(.deliver(prepare(raw)))
            },
            start
        )
    }

    /// Adds a handler that receives the value that `serializer` makes of the file.
    ///
    /// - Parameters:
    ///   - serializer: The serializer that makes the value.
    ///   - start: The place where the request runs if this handler starts it.
    ///   - prepare: A closure that takes the response and returns a closure that delivers it.
    func append<Serializer: DownloadResponseSerializerProtocol>(
        _ serializer: Serializer,
        _ start: PipelineStart,
        prepare: @escaping @Sendable (consuming AFDownloadResponse<Serializer.SerializedObject>) -> @Sendable () -> Void
    ) {
        append(DownloadStep(request: self, serializer: serializer, prepare: prepare).responseStep, start)
    }

    /// Creates the response of a handler.
    fileprivate func response<Value>(_ made: Serialized<Value>) -> AFDownloadResponse<Value> {
        DownloadResponse(
            request: request,
            response: response,
            fileURL: fileURL,
            resumeData: resumeData,
            metrics: metrics,
            serializationDuration: made.duration,
            result: made.result
        )
    }
}

/// The step of a handler whose serializer reads a file.
private struct DownloadStep<Serializer: DownloadResponseSerializerProtocol>: HandlerStep {
    let request: DownloadRequest
    let serializer: Serializer
    let prepare: @Sendable (consuming AFDownloadResponse<Serializer.SerializedObject>) -> @Sendable () -> Void

    /// None: a download's results may change until it delivers, as by resume data.
    var parts: Void { () }

    func serialize(_ parts: Void) throws -> Serializer.SerializedObject {
        // Most serializers read the file, which may take long.
        request.deliverWaitingHandlers()
        return try serializer.serializeDownload(
            request: request.request, response: request.response, fileURL: request.fileURL, error: request.error)
    }

    func response(
        _ parts: Void,
        _ made: Serialized<Serializer.SerializedObject>
    ) -> AFDownloadResponse<Serializer.SerializedObject> {
        request.response(made)
    }

    func report(_ response: AFDownloadResponse<Serializer.SerializedObject>) {
        request.notify { $0.request(request, didParseResponse: response) }
    }
}
