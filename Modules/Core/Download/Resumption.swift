internal import AirframeTransport
internal import HTTPTypes

/// The meaning of a response for a download that requested the rest of a representation.
enum Resumption: Equatable {
    /// The rest: the file is continued.
    case continues(total: Int64?)
    /// The whole, which has changed or is not served in ranges: the download starts from the beginning.
    case restarts
    /// Unusable, so that the whole must be requested, with the reason.
    case requiresWhole(String)
    /// Not about the representation, for example an error: the file is kept.
    case isUnrelated

    /// Classifies the response to ``ResumeData/continuing``. The server's fields are checked against the request.
    init(_ response: HTTPResponse, answering asked: ResumeData) {
        let fields = response.headerFields
        switch response.status.code {
        case 206:
            self = Self.judge(fields, asked)
        case 416:
            self = .requiresWhole("the server has no bytes from offset \(asked.offset)")
        case 200..<300:
            self = .restarts
        default:
            self = .isUnrelated
        }
    }

    private static func judge(_ fields: HTTPFields, _ asked: ResumeData) -> Resumption {
        guard let range = ContentRange(fields) else {
            return .requiresWhole("the response has no valid Content-Range")
        }
        guard range.first == asked.offset else {
            return .requiresWhole("the range begins at \(range.first) instead of \(asked.offset)")
        }
        if let total = range.completeLength, let known = asked.total, total != known {
            return .requiresWhole("the representation has \(total) bytes now and had \(known)")
        }
        if asked.validator.isContradicted(by: fields) {
            return .requiresWhole("the range is of another version")
        }
        if let coding = fields[.contentEncoding], coding.lowercased() != "identity" {
            return .requiresWhole("the range is coded with \(coding)")
        }
        return .continues(total: range.completeLength ?? asked.total)
    }
}
