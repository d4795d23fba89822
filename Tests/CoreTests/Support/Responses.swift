import AirframeTransport
import Foundation
import HTTPTypes

extension TransportResponse {
    /// A response with a text body and its length.
    static func text(
        _ text: String = "",
        status: Int = 200,
        fields: HTTPFields = [:],
        to request: TransportRequest
    ) -> TransportResponse {
        var fields = fields
        if fields[.contentLength] == nil { fields[.contentLength] = "\(text.utf8.count)" }
        return .status(status, text, fields: fields, to: request)
    }

    /// A response with these fields only.
    static func status(
        _ status: Int,
        _ text: String = "",
        fields: HTTPFields = [:],
        to request: TransportRequest
    ) -> TransportResponse {
        let head = HTTPResponse(status: .init(code: status), headerFields: fields)
        return TransportResponse(head: head, body: ResponseBody(Data(text.utf8)), request: request.head)
    }
}

extension TransportError {
    /// An error in the response's head.
    static func failure(_ code: Code, _ processing: Processing) -> TransportError {
        TransportError(code, phase: .responseHead, processing: processing, message: "as the test has it")
    }
}
