internal import Foundation
internal import HTTPTypes

/// What a new request needs in order to go on where a download ended.
///
/// It travels as JSON through the user's hands, perhaps through a file that others can write: nothing in it is believed
/// before it is checked. It names a file only among those that downloads leave in the temporary directory, and has
/// neither the file's bytes nor any secret of the request: who resumes adds credentials anew.
struct ResumeData: Sendable {
    /// Where the download comes from, before redirects; without user information.
    let url: URL
    /// The request's own fields, but for secrets and those that ask for a range.
    let fields: [HTTPField]
    /// Proves that the representation is still the same.
    let validator: ResumeValidator
    /// The length of the whole representation, where it is known.
    let total: Int64?
    /// The temporary file with the bytes so far.
    let file: URL
    /// What the file was like when it was left.
    let mark: PartialFile.Mark

    /// The number of bytes that are there.
    var offset: Int64 { mark.length }

    /// The request for the rest of the representation, or all of it if it has changed (RFC 9110 §13.1.5).
    var continuing: URLRequest {
        var request = fromStart
        request.setValue("bytes=\(offset)-", forHTTPHeaderField: "Range")
        request.setValue(validator.value, forHTTPHeaderField: "If-Range")
        // An offset counts bytes without a coding.
        request.setValue("identity", forHTTPHeaderField: "Accept-Encoding")
        return request
    }

    /// The request for all of it.
    var fromStart: URLRequest {
        var request = URLRequest(url: url)
        for field in fields { request.addValue(field.value, forHTTPHeaderField: field.name.rawName) }
        return request
    }
}

// MARK: - As a value

extension ResumeData {
    private static let version = 1
    private static let largest = 1 << 20
    /// More fields than any request needs; each is looked up in all others.
    private static let mostFields = 1000

    /// The JSON: every key says what it holds.
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

    /// The value for the user.
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

    /// Reads a value that was made by ``encoded``, and perhaps changed since.
    init(reading data: Data) throws(ResumeDataError) {
        struct Version: Decodable { var airframeResumeData: Int }
        let decoder = JSONDecoder()
        guard data.count <= Self.largest, let version = try? decoder.decode(Version.self, from: data) else {
            throw ResumeDataError("it is not resume data of Airframe's")
        }
        guard version.airframeResumeData == Self.version else {
            throw ResumeDataError(
                "its version is \(version.airframeResumeData), and only \(Self.version) is known here")
        }
        let contents: Contents
        do {
            contents = try decoder.decode(Contents.self, from: data)
        } catch {
            throw ResumeDataError("it is incomplete")
        }
        guard let url = URL(string: contents.url), let scheme = url.scheme?.lowercased(),
            scheme == "http" || scheme == "https", url.host() != nil
        else { throw ResumeDataError("its URL is not one of http or https") }
        guard let file = TemporaryFile.existingURL(named: contents.file) else {
            throw ResumeDataError("it names a file that is not a download's")
        }
        let total = contents.total
        guard contents.length > 0, total.map({ $0 > contents.length }) ?? true else {
            throw ResumeDataError("its lengths, \(contents.length) of \(total.map(String.init) ?? "?"), do not fit")
        }
        guard let validator = ResumeValidator(entityTag: contents.entityTag, lastModified: contents.lastModified) else {
            throw ResumeDataError("it has nothing to tell a changed file by")
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
            throw ResumeDataError("it has \(pairs.count) header fields; \(mostFields) are allowed")
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
