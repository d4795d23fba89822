public import AirframeCore
public import Foundation

extension DownloadRequest {
    /// Returns a task whose value is the data of the downloaded file.
    ///
    /// - Parameters:
    ///   - shouldAutomaticallyCancel: Whether cancelling the awaiting task cancels the request.
    ///   - dataPreprocessor: The preprocessor that transforms the data before serialization.
    ///   - emptyResponseCodes: The status codes of responses that may be empty.
    ///   - emptyRequestMethods: The methods of requests whose responses may be empty.
    public func serializingData(
        automaticallyCancelling shouldAutomaticallyCancel: Bool = true,
        dataPreprocessor: any DataPreprocessor = DataResponseSerializer.defaultDataPreprocessor,
        emptyResponseCodes: Set<Int> = DataResponseSerializer.defaultEmptyResponseCodes,
        emptyRequestMethods: Set<HTTPMethod> = DataResponseSerializer.defaultEmptyRequestMethods
    ) -> DownloadTask<Data> {
        serializingDownload(
            using: DataResponseSerializer(
                dataPreprocessor: dataPreprocessor,
                emptyResponseCodes: emptyResponseCodes,
                emptyRequestMethods: emptyRequestMethods
            ),
            automaticallyCancelling: shouldAutomaticallyCancel
        )
    }

    /// Returns a task whose value is the location of the downloaded file.
    ///
    /// - Parameter shouldAutomaticallyCancel: Whether cancelling the awaiting task cancels the request.
    public func serializingDownloadedFileURL(
        automaticallyCancelling shouldAutomaticallyCancel: Bool = true
    ) -> DownloadTask<URL> {
        serializingDownload(using: URLResponseSerializer(), automaticallyCancelling: shouldAutomaticallyCancel)
    }

    /// Returns a task whose value is decoded from the downloaded file.
    ///
    /// - Parameters:
    ///   - type: The type of the value.
    ///   - shouldAutomaticallyCancel: Whether cancelling the awaiting task cancels the request.
    ///   - dataPreprocessor: The preprocessor that transforms the data before serialization.
    ///   - decoder: The decoder of the value.
    ///   - emptyResponseCodes: The status codes of responses that may be empty.
    ///   - emptyRequestMethods: The methods of requests whose responses may be empty.
    public func serializingDecodable<Value: Decodable & Sendable>(
        _ type: Value.Type = Value.self,
        automaticallyCancelling shouldAutomaticallyCancel: Bool = true,
        dataPreprocessor: any DataPreprocessor = DecodableResponseSerializer<Value>.defaultDataPreprocessor,
        decoder: any DataDecoder = JSONDecoder(),
        emptyResponseCodes: Set<Int> = DecodableResponseSerializer<Value>.defaultEmptyResponseCodes,
        emptyRequestMethods: Set<HTTPMethod> = DecodableResponseSerializer<Value>.defaultEmptyRequestMethods
    ) -> DownloadTask<Value> {
        serializingDownload(
            using: DecodableResponseSerializer<Value>(
                dataPreprocessor: dataPreprocessor,
                decoder: decoder,
                emptyResponseCodes: emptyResponseCodes,
                emptyRequestMethods: emptyRequestMethods
            ),
            automaticallyCancelling: shouldAutomaticallyCancel
        )
    }

    /// Returns a task whose value is the text of the downloaded file.
    ///
    /// - Parameters:
    ///   - shouldAutomaticallyCancel: Whether cancelling the awaiting task cancels the request.
    ///   - dataPreprocessor: The preprocessor that transforms the data before serialization.
    ///   - encoding: The text encoding; `nil` for the one that the response declares.
    ///   - emptyResponseCodes: The status codes of responses that may be empty.
    ///   - emptyRequestMethods: The methods of requests whose responses may be empty.
    public func serializingString(
        automaticallyCancelling shouldAutomaticallyCancel: Bool = true,
        dataPreprocessor: any DataPreprocessor = StringResponseSerializer.defaultDataPreprocessor,
        encoding: String.Encoding? = nil,
        emptyResponseCodes: Set<Int> = StringResponseSerializer.defaultEmptyResponseCodes,
        emptyRequestMethods: Set<HTTPMethod> = StringResponseSerializer.defaultEmptyRequestMethods
    ) -> DownloadTask<String> {
        serializingDownload(
            using: StringResponseSerializer(
                dataPreprocessor: dataPreprocessor,
                encoding: encoding,
                emptyResponseCodes: emptyResponseCodes,
                emptyRequestMethods: emptyRequestMethods
            ),
            automaticallyCancelling: shouldAutomaticallyCancel
        )
    }

    /// Returns a task whose value a serializer makes of the downloaded file.
    ///
    /// - Parameters:
    ///   - serializer: The serializer that makes the value.
    ///   - shouldAutomaticallyCancel: Whether cancelling the awaiting task cancels the request.
    public func serializingDownload<Serializer: ResponseSerializer>(
        using serializer: Serializer,
        automaticallyCancelling shouldAutomaticallyCancel: Bool = true
    ) -> DownloadTask<Serializer.SerializedObject> {
        downloadTask(serializer, shouldAutomaticallyCancel)
    }

    /// Returns a task whose value a serializer makes of the downloaded file.
    ///
    /// - Parameters:
    ///   - serializer: The serializer that makes the value.
    ///   - shouldAutomaticallyCancel: Whether cancelling the awaiting task cancels the request.
    public func serializingDownload<Serializer: DownloadResponseSerializerProtocol>(
        using serializer: Serializer,
        automaticallyCancelling shouldAutomaticallyCancel: Bool = true
    ) -> DownloadTask<Serializer.SerializedObject> {
        downloadTask(serializer, shouldAutomaticallyCancel)
    }

    /// The last call of a chain starts the request on the caller's thread, because no handler can follow it.
    private func downloadTask<Serializer: DownloadResponseSerializerProtocol>(
        _ serializer: Serializer,
        _ shouldAutomaticallyCancel: Bool
    ) -> DownloadTask<Serializer.SerializedObject> {
        let outcome = ResponseOutcome<AFDownloadResponse<Serializer.SerializedObject>>()
        append(serializer, .immediate, prepare: outcome.hold)
        return DownloadTask(request: self, outcome: outcome, shouldAutomaticallyCancel: shouldAutomaticallyCancel)
    }
}
