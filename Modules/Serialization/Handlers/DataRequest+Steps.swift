internal import AirframeCore
internal import Foundation

extension DataRequest {
    /// Adds a handler that receives the unserialized data.
    func appendRaw(
        _ start: PipelineStart,
        prepare: @escaping @Sendable (consuming AFDataResponse<Data?>) -> @Sendable () -> Void
    ) {
        append(
            ResponseStep { [self] in
                let parts = responseParts
                let made = Serialized(raw: parts.data, error: parts.error)
                let raw: AFDataResponse<Data?> = response(parts, made)
                // Here the type selects the monitors' function for unserialized responses. A generic function would
                // always call the one for values.
                notify { $0.request(self, didParseResponse: raw) }
                return .over(.deliver(prepare(raw)))
            },
            start
        )
    }

    /// Adds a handler that receives the value that `serializer` makes of the data.
    ///
    /// - Parameters:
    ///   - serializer: The serializer that makes the value.
    ///   - start: The place where the request runs if this handler starts it.
    ///   - prepare: A closure that takes the response and returns a closure that delivers it.
    func append<Serializer: DataResponseSerializerProtocol>(
        _ serializer: Serializer,
        _ start: PipelineStart,
        prepare: @escaping @Sendable (consuming AFDataResponse<Serializer.SerializedObject>) -> @Sendable () -> Void
    ) {
        append(DataStep(request: self, serializer: serializer, prepare: prepare).responseStep, start)
    }

    /// Creates the response of a handler.
    fileprivate func response<Value>(
        _ parts: consuming ResponseParts,
        _ made: consuming Serialized<Value>
    ) -> AFDataResponse<Value> {
        DataResponse(
            request: parts.request,
            response: parts.response,
            data: parts.data,
            metrics: parts.metrics,
            serializationDuration: made.duration,
            result: made.result
        )
    }
}

/// The step of a handler whose serializer reads data.
///
/// Its functions are inlined into ``HandlerStep/responseStep``, so that the parts of the response are values in
/// registers: an optional in memory is copied through run-time metadata, 130 instructions each.
private struct DataStep<Serializer: DataResponseSerializerProtocol>: HandlerStep {
    let request: DataRequest
    let serializer: Serializer
    let prepare: @Sendable (consuming AFDataResponse<Serializer.SerializedObject>) -> @Sendable () -> Void

    @inline(__always)
    var parts: DataRequest.ResponseParts { request.responseParts }

    @inline(__always)
    func serialize(_ parts: DataRequest.ResponseParts) throws -> Serializer.SerializedObject {
        // 64 KiB of JSON take about 1 ms to decode, which the handlers of other requests should not wait.
        if let data = parts.data, data.count >= 65_536 { request.deliverWaitingHandlers() }
        return try serializer.serialize(
            request: parts.request, response: parts.response, data: parts.data, error: parts.error)
    }

    @inline(__always)
    func response(
        _ parts: consuming DataRequest.ResponseParts,
        _ made: consuming Serialized<Serializer.SerializedObject>
    ) -> AFDataResponse<Serializer.SerializedObject> {
        request.response(parts, made)
    }

    func report(_ response: AFDataResponse<Serializer.SerializedObject>) {
        request.notify { $0.request(request, didParseResponse: response) }
    }
}
