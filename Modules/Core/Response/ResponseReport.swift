internal import AirframeTransport
internal import Foundation

/// A report of a response for debugging, in Alamofire's format. Secrets are redacted.
struct ResponseReport {
    /// The content of a response.
    enum Content {
        /// The body, if there is one.
        case body(Data?)
        /// The file with the body, and the data with which a new request continues the download.
        case file(URL?, resumeData: Data?)
    }

    let request: URLRequest?
    let response: HTTPURLResponse?
    let content: Content
    let metrics: URLSessionTaskMetrics?
    let serializationDuration: TimeInterval
    let result: String

    /// The maximum number of bytes of a body that is written out.
    static let bodyLimit = 100_000

    /// The words in the media types of bodies that are written out.
    static let printableTypes = ["json", "xml", "text"]

    var text: String {
        guard let request else { return "[Request]: None\n[Result]: \(result)" }
        let headers = request.headers
        let requestSection = [
            "[Request]: \(request)", Self.lines(of: headers), Self.lines(of: request.httpBody, headers),
        ].indented
        let sections = [requestSection, responseSection] + fileLines + durationLines + ["[Result]: \(result)"]
        return sections.joined(separator: "\n")
    }

    private var responseSection: String {
        guard let response else { return "[Response]: None" }
        let headers = response.headers
        var lines = ["[Response]:", "[Status Code]: \(response.statusCode)", Self.lines(of: headers)]
        if case .body(let data) = content { lines.append(Self.lines(of: data, headers)) }
        return lines.indented
    }

    private var fileLines: [String] {
        guard case .file(let url, let resumeData) = content else { return [] }
        let size = resumeData.map { "\($0.count) bytes" }
        return ["[File URL]: \(url?.path ?? "None")", "[Resume Data]: \(size ?? "None")"]
    }

    private var durationLines: [String] {
        let network = metrics.map { "\($0.taskInterval.duration)s" }
        return [
            "[Network Duration]: \(network ?? "None")", "[Serialization Duration]: \(serializationDuration)s",
        ]
    }

    private static func lines(of headers: HTTPHeaders) -> String {
        headers.isEmpty ? "[Headers]: None" : ["[Headers]:", headers.sorted().description].indented
    }

    /// Returns a body whose media type is printable, or the size of another body.
    private static func lines(of body: Data?, _ headers: HTTPHeaders) -> String {
        guard let body, !body.isEmpty else { return "[Body]: None" }
        // UTF-16 and UTF-32 have zero bytes between the letters of a name, which would hide it from the redaction.
        guard body.count <= bodyLimit, let mediaType = headers["Content-Type"],
            printableTypes.contains(where: { mediaType.contains($0) }), !body.contains(0)
        else { return "[Body]: \(body.count) bytes" }
        let text = RedactionPolicy.standard.text(String(decoding: body, as: UTF8.self), mediaType: mediaType)
        return ["[Body]:", text.trimmingCharacters(in: .whitespacesAndNewlines)].indented
    }
}

extension [String] {
    /// Each string on separate lines. All lines after the first are indented by four spaces.
    fileprivate var indented: String {
        joined(separator: "\n").split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
            .joined(separator: "\n    ")
    }
}
