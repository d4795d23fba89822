internal import AirframeTransport
internal import HTTPTypes

/// What a response means for a download that asked for the rest of a representation.
enum Resumption: Equatable {
    /// It is the rest: the file goes on.
    case goesOn(total: Int64?)
    /// It is the whole, which has changed or of which the server gives no parts: the file starts anew.
    case startsAnew
    /// It is of no use, and the whole must be asked for: why, in words.
    case mustAskAgain(String)
    /// It is not about the representation (an error, for one): the file waits.
    case isOther

    /// Judges the answer to ``ResumeData/continuing``. A server's word is checked against what was asked.
    init(_ response: HTTPResponse, answering asked: ResumeData) {
        let fields = response.headerFields
        switch response.status.code {
        case 206:
            self = Self.judge(fields, asked)
        case 416:
            self = .mustAskAgain("the server has no bytes from \(asked.offset) on")
        case 200..<300:
            self = .startsAnew
        default:
            self = .isOther
        }
    }

    private static func judge(_ fields: HTTPFields, _ asked: ResumeData) -> Resumption {
        guard let range = ContentRange(fields) else {
            return .mustAskAgain("the part has no valid Content-Range")
        }
        guard range.first == asked.offset else {
            return .mustAskAgain("the part begins at \(range.first), and \(asked.offset) was asked for")
        }
        if let total = range.completeLength, let known = asked.total, total != known {
            return .mustAskAgain("the whole has \(total) bytes now, and had \(known)")
        }
        if asked.validator.isContradicted(by: fields) {
            return .mustAskAgain("the part is of another version")
        }
        if let coding = fields[.contentEncoding], coding.lowercased() != "identity" {
            return .mustAskAgain("the part is coded with \(coding)")
        }
        return .goesOn(total: range.completeLength ?? asked.total)
    }
}
