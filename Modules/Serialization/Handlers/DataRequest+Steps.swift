internal import AirframeCore
internal import Foundation

extension DataRequest {
    /// Adds a handler that receives the unserialized data.
    func appendRaw(_ start: PipelineStart, deliver: @escaping @Sendable (AFDataResponse<Data?>) -> Void) {
        append(
            ResponseStep { [self] in
                let data = data
                let response = AFDataResponse<Data?>(
                    request: request,
                    response: response,
                    data: data,
                    metrics: metrics,
                    serializationDuration: 0,
                    result: error.map(Result.failure) ?? .success(data)
                )
                notify { $0.request(self, didParseResponse: response) }
                return .over(.deliver { deliver(response) })
            },
            start
        )
    }

    /// Adds a handler that receives the value that `serializer` makes of the data.
    func append<Serializer: DataResponseSerializerProtocol>(
        _ serializer: Serializer,
        _ start: PipelineStart,
        deliver: @escaping @Sendable (AFDataResponse<Serializer.SerializedObject>) -> Void
    ) {
        append(serializer, start, prepare: { response in { deliver(response) } })
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
        prepare: @escaping @Sendable (AFDataResponse<Serializer.SerializedObject>) -> @Sendable () -> Void
    ) {
        append(
            step { [self] in
                let data = data
                // 64 KiB of JSON take about 1 ms to decode, which the handlers of other requests should not wait.
                if let data, data.count >= 65_536 { deliverWaitingHandlers() }
                return try serializer.serialize(request: request, response: response, data: data, error: error)
            } respond: { [self] made in
                let response = DataResponse(
                    request: request,
                    response: response,
                    data: data,
                    metrics: metrics,
                    serializationDuration: made.duration,
                    result: made.result
                )
                notify { $0.request(self, didParseResponse: response) }
                return prepare(response)
            },
            start
        )
    }
}
