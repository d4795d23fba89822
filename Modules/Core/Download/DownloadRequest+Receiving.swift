internal import AirframeTransport
internal import Foundation
internal import HTTPTypes
internal import Synchronization

// Writes a response to a file, and turns an incomplete file into resume data.

extension DownloadRequest {
    // MARK: Resuming

    /// Returns the request that continues the download of `data`, or starts it from the beginning if its file is gone.
    func resume(from data: Data) throws(ResumeDataError) -> URLRequest {
        let known = transfer.withLock { $0.resumed }
        let resumed = if let known { known } else { try ResumeData(reading: data) }
        guard PartialFile.exists(resumed.file, leftAs: resumed.mark) else {
            transfer.withLock {
                $0.resumed = nil
                $0.resumeData = nil
            }
            return resumed.fromStart
        }
        transfer.withLock {
            $0.resumed = resumed
            $0.resumeData = $0.resumeData ?? data
        }
        return resumed.continuing
    }

    /// Checks that a response is the rest of a file. Requests the whole if it is not.
    func continueDownload(
        with response: TransportResponse,
        to request: TransportRequest
    ) async throws(TransportError) -> TransportResponse {
        guard let resumed = transfer.withLock({ $0.resumed }) else { return response }
        switch Resumption(response.head, answering: resumed) {
        case .continues(let total):
            if let file = PartialFile.reopen(resumed.file, leftAs: resumed.mark, for: task) {
                transfer.withLock { $0.reopened = (file, total) }
                return response
            }
            // Another request has claimed the file.
            forgetResumption()
        case .restarts:
            forgetResumption(removing: resumed.file)
            return response
        case .isUnrelated:
            return response
        case .requiresWhole(let reason):
            report(reason, request)
            forgetResumption(removing: resumed.file)
        }
        response.body.cancel()
        var whole = request
        whole.beginNewExchange()
        whole.head.headerFields[.range] = nil
        whole.head.headerFields[.ifRange] = nil
        return try await context.transport.send(whole)
    }

    private func report(_ reason: String, _ request: TransportRequest) {
        request.report(
            .retried(attempt: 2), because: "the download starts from the beginning: \(reason)", on: context.clock)
    }

    private func forgetResumption(removing file: URL? = nil) {
        transfer.withLock {
            $0.resumed = nil
            $0.resumeData = nil
        }
        if let file { TemporaryFile.remove(file) }
    }

    // MARK: Receiving

    /// Writes the body to a temporary file, or to the end of an earlier one.
    ///
    /// - Returns: The complete file.
    func download(_ response: TransportResponse, for task: URLSessionTask) async throws(AFError) -> URL {
        let (file, total) = try openFile(for: task)
        do throws(AFError) {
            try await write(response.body, to: file, of: total, for: task)
        } catch {
            throw settle(file, after: error, response, total, task)
        }
        // An error page does not invalidate the incomplete file.
        if total != nil { forgetResumption() }
        return file.url
    }

    /// Moves a complete file to its destination. Reports the file to monitors, and then the result of the move.
    func place(_ file: URL, of task: URLSessionTask) throws(AFError) -> URL {
        if let monitors, let task = task as? URLSessionDownloadTask {
            monitors.urlSession(context.urlSession, downloadTask: task, didFinishDownloadingTo: file)
        }
        do throws(AFError) {
            let url = if let response = task.response { try place(file, response) } else { file }
            monitors?.request(self, didFinishDownloadingUsing: task, with: .success(url))
            return url
        } catch {
            monitors?.request(self, didFinishDownloadingUsing: task, with: .failure(error))
            throw error
        }
    }

    /// Returns the file, and the total length if it is not that of the response. Reports a file that is continued.
    private func openFile(for task: URLSessionTask) throws(AFError) -> (PartialFile, Int64?) {
        let reopened = transfer.withLock { transfer in
            defer { transfer.reopened = nil }
            return transfer.reopened
        }
        guard let (file, total) = reopened else { return (try PartialFile.create(for: task), nil) }
        if let monitors, let task = task as? URLSessionDownloadTask {
            monitors.urlSession(
                context.urlSession,
                downloadTask: task,
                didResumeAtOffset: file.length,
                expectedTotalBytes: total ?? -1
            )
        }
        didReceive(file.length, of: total ?? -1)
        return (file, total ?? -1)
    }

    private func write(
        _ body: ResponseBody,
        to file: PartialFile,
        of total: Int64?,
        for task: URLSessionTask
    ) async throws(AFError) {
        try await pull(body, for: task, from: file.length, of: total) { chunk throws(AFError) in try file.write(chunk) }
        if let total, total >= 0, file.length != total {
            // A server may send less than requested; the received part is valid and incomplete.
            let error = TransportError(
                .bodyTruncated,
                phase: .responseBody,
                processing: .unknown,
                message: "the file has \(file.length) bytes and should have \(total)",
                origin: task.currentRequest?.origin
            )
            throw .transport(error, url: task.currentRequest?.url)
        }
        try file.close()
    }

    // MARK: Interruption

    /// Keeps an incomplete file for a later request, or removes it. Returns the error with the resume data.
    private func settle(
        _ file: PartialFile,
        after error: AFError,
        _ response: TransportResponse,
        _ total: Int64?,
        _ task: URLSessionTask
    ) -> AFError {
        guard keepsPartialFile(of: task), let data = keep(file, response, total, task) else {
            file.discard()
            // The data that the request was made with names the file.
            if total != nil { forgetResumption() }
            return error
        }
        answerResumeDataHandlers(with: data)
        return error.with(resumeData: data)
    }

    /// Whether to keep an incomplete file: the download failed, or was cancelled with resume data requested.
    private func keepsPartialFile(of task: URLSessionTask) -> Bool {
        guard isEnded || task.state == .canceling else { return true }
        let isCancelled = isCancelled
        return transfer.withLock { isCancelled && $0.keepsFileWhenCancelled }
    }

    private func keep(
        _ file: PartialFile,
        _ response: TransportResponse,
        _ total: Int64?,
        _ task: URLSessionTask
    ) -> Data? {
        let earlier = transfer.withLock { $0.resumed }
        let isResumed = earlier != nil && total != nil
        guard let origin = isResumed ? earlier : ResumeData(response, for: task, in: file) else { return nil }
        let whole = total.flatMap { $0 < 0 ? nil : $0 } ?? origin.total
        // All bytes arrived, but not the end of the body: there is nothing left to request.
        guard file.length < whole ?? .max, let mark = file.keep() else { return nil }
        let left = ResumeData(
            url: origin.url,
            fields: origin.fields,
            validator: origin.validator,
            total: whole,
            file: file.url,
            mark: mark
        )
        guard let data = left.encoded else { return nil }
        transfer.withLock {
            $0.resumeData = data
            if isResumed { $0.resumed = left }
        }
        return data
    }
}

extension ResumeData {
    /// Creates the resume data of a download from its start. Returns `nil` if the download cannot be resumed.
    init?(_ response: TransportResponse, for task: URLSessionTask, in file: PartialFile) {
        let fields = response.head.headerFields
        guard let request = task.originalRequest, request.httpMethod ?? "GET" == "GET",
            request.httpBody == nil, request.httpBodyStream == nil,
            request.value(forHTTPHeaderField: "Range") == nil, let url = request.url?.withoutUser,
            response.head.status.code == 200, let validator = ResumeValidator(fields),
            // An offset into decoded content has no counterpart in the coded one.
            response.receivedHead == nil, (fields[.contentEncoding] ?? "identity").lowercased() == "identity",
            fields[.acceptRanges]?.lowercased() != "none"
        else { return nil }
        let length = task.response?.expectedContentLength ?? -1
        self.init(
            url: url,
            fields: request.fieldsToKeep,
            validator: validator,
            total: length < 0 ? nil : length,
            file: file.url,
            mark: PartialFile.Mark(length: file.length, seconds: 0, nanoseconds: 0)
        )
    }
}

extension URLRequest {
    /// The fields that are safe to store in resume data.
    fileprivate var fieldsToKeep: [HTTPField] {
        headers.fields.filter { field in
            let name = field.name
            return !RedactionPolicy.standard.isSecret(field: name) && name != .range && name != .ifRange
                && name != .acceptEncoding
        }
    }
}

extension URL {
    /// The URL without user name and password.
    fileprivate var withoutUser: URL? {
        guard var components = URLComponents(url: self, resolvingAgainstBaseURL: true) else { return nil }
        components.user = nil
        components.password = nil
        return components.url
    }
}
