internal import FoundationEssentials

/// The day, region and service that a signature is limited to.
struct AWSScope {
    static let algorithm = "AWS4-HMAC-SHA256"

    /// The time of signing in the basic ISO 8601 form, in UTC: `20150830T123600Z`.
    let timestamp: String
    private let region: String
    private let service: String

    init(date: Date, region: String, service: String) {
        timestamp = date.formatted(
            .iso8601.year().month().day().timeZone(separator: .omitted).time(includingFractionalSeconds: false)
                .dateSeparator(.omitted).timeSeparator(.omitted)
        )
        self.region = region
        self.service = service
    }

    private var day: String { String(timestamp.prefix(8)) }

    /// The scope in the form in which it is sent.
    var text: String { "\(day)/\(region)/\(service)/aws4_request" }

    /// Returns the text that is signed.
    func stringToSign(_ request: AWSCanonicalRequest) throws(HashUnavailable) -> String {
        let hash = try HashFunction.sha256.hash(Data(request.text.utf8)).hexadecimal
        return "\(Self.algorithm)\n\(timestamp)\n\(text)\n\(hash)"
    }

    /// Returns the signature in lower-case hexadecimal.
    func signature(of request: AWSCanonicalRequest, secret: String) throws(HashUnavailable) -> String {
        var key = Array("AWS4\(secret)".utf8)
        for part in [day, region, service, "aws4_request"] {
            key = try HashFunction.sha256.authenticationCode(Data(part.utf8), key: key)
        }
        let text = try stringToSign(request)
        return try HashFunction.sha256.authenticationCode(Data(text.utf8), key: key).hexadecimal
    }
}
