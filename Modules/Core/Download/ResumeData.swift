internal import Foundation
internal import HTTPTypes

/// The data with which a new request continues a download.
///
/// The user stores it as JSON, perhaps in a file that others can write, so everything in it is checked. It can only
/// name one of the temporary files of downloads, and contains neither the file's bytes nor any secret of the request:
/// the new request adds its own credentials.
struct ResumeData: Sendable {
    /// The URL before redirects, without user information.
    let url: URL
    /// The request's own fields without secrets and range fields.
    let fields: [HTTPField]
    /// The validator that identifies the representation.
    let validator: ResumeValidator
    /// The length of the representation, if it is known.
    let total: Int64?
    /// The temporary file with the bytes received so far.
    let file: URL
    /// The status of the file when it was left.
    let mark: PartialFile.Mark

    /// The number of bytes received so far.
    var offset: Int64 { mark.length }

    /// The request for the rest of the representation, or for all of it if it has changed (RFC 9110 §13.1.5).
    var continuing: URLRequest {
        var request = fromStart
        request.setValue("bytes=\(offset)-", forHTTPHeaderField: "Range")
        request.setValue(validator.value, forHTTPHeaderField: "If-Range")
        // An offset counts bytes without a content coding.
        request.setValue("identity", forHTTPHeaderField: "Accept-Encoding")
        return request
    }

    /// The request for the whole representation.
    var fromStart: URLRequest {
        var request = URLRequest(url: url)
        for field in fields { request.addValue(field.value, forHTTPHeaderField: field.name.rawName) }
        return request
    }
}

// MARK: - Encoding

extension ResumeData {
    private static let version = 1
    private static let largest = 1 << 20
    /// The maximum number of fields. Duplicates are found by comparing each field with all others.
    private static let mostFields = 1000

    /// The JSON object.
    private struct Contents: Codable {
        var airframeResumeData: Int
        var url: String
        var fields: [[String]]
        var entityTag: String?
        var lastModified: String?
        var total: Int64?
        var file: String
        var length: Int64
        var modifiedSeconds: Int64
        var modifiedNanoseconds: Int64
    }

    /// The encoded data.
    var encoded: Data? {
        let contents = Contents(
            airframeResumeData: Self.version,
            url: url.absoluteString,
            fields: fields.map { [$0.name.rawName, $0.value] },
            entityTag: validator.entityTag,
            lastModified: validator.lastModified,
            total: total,
            file: file.lastPathComponent,
            length: mark.length,
            modifiedSeconds: mark.seconds,
            modifiedNanoseconds: mark.nanoseconds
        )
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try? encoder.encode(contents)
    }

    /// Reads data that ``encoded`` returned, and that may have been changed since.
    init(reading data: Data) throws(ResumeDataError) {
        struct Version: Decodable { var airframeResumeData: Int }
        let decoder = JSONDecoder()
        guard data.count <= Self.largest, let version = try? decoder.decode(Version.self, from: data) else {
            throw ResumeDataError("it is not resume data of Airframe")
        }
        guard version.airframeResumeData == Self.version else {
            throw ResumeDataError(
                "its version is \(version.airframeResumeData), and this library reads version \(Self.version) only")
        }
        let contents: Contents
        do {
            contents = try decoder.decode(Contents.self, from: data)
        } catch {
            throw ResumeDataError("it is incomplete")
        }
        guard let url = URL(string: contents.url), let scheme = url.scheme?.lowercased(),
            scheme == "http" || scheme == "https", url.host() != nil
        else { throw ResumeDataError("its URL is not an http or https URL") }
        guard let file = TemporaryFile.existingURL(named: contents.file) else {
            throw ResumeDataError("it names a file that is not a download's")
        }
        let total = contents.total
        guard contents.length > 0, total.map({ $0 > contents.length }) ?? true else {
            throw ResumeDataError("its lengths, \(contents.length) of \(total.map(String.init) ?? "?"), do not fit")
        }
        guard let validator = ResumeValidator(entityTag: contents.entityTag, lastModified: contents.lastModified) else {
            throw ResumeDataError("it has no validator, so that a changed file could not be detected")
        }
        self.init(
            url: url,
            fields: try Self.fields(contents.fields),
            validator: validator,
            total: total,
            file: file,
            mark: PartialFile.Mark(
                length: contents.length,
                seconds: contents.modifiedSeconds,
                nanoseconds: contents.modifiedNanoseconds
            )
        )
    }

    private static func fields(_ pairs: [[String]]) throws(ResumeDataError) -> [HTTPField] {
        guard pairs.count <= mostFields else {
            throw ResumeDataError("it has \(pairs.count) header fields, more than \(mostFields)")
        }
        var fields: [HTTPField] = []
        for pair in pairs {
            guard pair.count == 2, let name = HTTPField.Name(pair[0]), HTTPField.isValidValue(pair[1]) else {
                throw ResumeDataError("it has a header field that HTTP does not allow")
            }
            fields.append(HTTPField(name: name, value: pair[1]))
        }
        return fields
    }
}
