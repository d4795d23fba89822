internal import AirframeTransport
internal import HTTPTypes

extension HTTP2RequestHead {
    /// Converts a version-independent head.
    init(_ head: borrowing RequestHead) {
        self.init(head.request)
        if head.isPlain { shared = head.shared }
        additionalFields = head.additionalFields
        switch head.upgrade {
        case .token(let token):
            request.method = .connect
            protocolName = token
            (hasContent, isHandshake) = (true, true)
        case .tunnel(let authority):
            request.method = .connect
            request.authority = authority
            (hasContent, isHandshake) = (true, true)
        case nil:
            describeContent(head)
        }
    }

    private mutating func describeContent(_ head: borrowing RequestHead) {
        switch head.content {
        case .none, .length(0):
            // RFC 9110 §8.6: a method that defines a meaning for content declares that there is none.
            if head.content != .none || HTTP1Method(request.method) == .contentful { contentLength = 0 }
            return
        case .length(let length): contentLength = length
        case .unknown: break
        }
        hasContent = true
        let asks =
            request.headerFields.contains(.expect)
            && request.headerFields[fields: .expect].contains(where: \.expectsContinue)
        expectsContinue = head.expectsContinue || asks
        if expectsContinue, !asks { additionalFields[.expect] = "100-continue" }
    }
}
