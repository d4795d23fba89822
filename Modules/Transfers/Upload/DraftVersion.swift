internal import HTTPTypes

/// An interop version of draft-ietf-httpbis-resumable-upload, with its header fields.
enum DraftVersion: Int, Codable, Sendable, CaseIterable {
    /// Revision 01 of the draft.
    case three = 3
    /// Revisions 04 and 05 of the draft.
    case six = 6

    /// The version to try if a server does not respond to this one.
    var alternative: DraftVersion { self == .six ? .three : .six }

    /// Reads the version of a response.
    init?(_ fields: HTTPFields) {
        guard let value = fields[.uploadDraftInteropVersion], let number = Int(value.trimmingSpaces) else { return nil }
        self.init(rawValue: number)
    }

    /// Sets whether a request ends the upload: `Upload-Complete`, or its inverse in version 3.
    func setComplete(_ isComplete: Bool, in fields: inout HTTPFields) {
        switch self {
        case .six: fields[.uploadComplete] = isComplete ? "?1" : "?0"
        case .three: fields[.uploadIncomplete] = isComplete ? "?0" : "?1"
        }
    }

    /// Returns whether the server has the whole upload; `nil` if the response does not say.
    func isComplete(_ fields: HTTPFields) -> Bool? {
        switch self {
        case .six: fields[.uploadComplete].map { $0.trimmingSpaces == "?1" }
        case .three: fields[.uploadIncomplete].map { $0.trimmingSpaces == "?0" }
        }
    }

    /// The content type of appended content; `nil` if the version has none.
    var appendType: String? { self == .six ? "application/partial-upload" : nil }
}

extension HTTPField.Name {
    private static func own(_ name: String) -> HTTPField.Name { HTTPField.Name(name) ?? .contentType }

    static let uploadDraftInteropVersion = own("Upload-Draft-Interop-Version")
    static let uploadComplete = own("Upload-Complete")
    static let uploadIncomplete = own("Upload-Incomplete")
    static let uploadOffset = own("Upload-Offset")
    static let uploadLength = own("Upload-Length")
    static let uploadLimit = own("Upload-Limit")
    static let uploadMetadata = own("Upload-Metadata")
    static let uploadChecksum = own("Upload-Checksum")
    static let uploadConcat = own("Upload-Concat")
    static let tusResumable = own("Tus-Resumable")
    static let tusChecksumAlgorithm = own("Tus-Checksum-Algorithm")
    static let tusExtension = own("Tus-Extension")
    static let tusMaxSize = own("Tus-Max-Size")
    static let reprDigest = own("Repr-Digest")
    static let contentDigest = own("Content-Digest")
}

extension String {
    /// The text without leading and trailing spaces and tabs.
    var trimmingSpaces: String {
        var rest = self[...]
        while rest.first == " " || rest.first == "\t" { rest.removeFirst() }
        while rest.last == " " || rest.last == "\t" { rest.removeLast() }
        return String(rest)
    }
}

extension HTTPFields {
    /// Returns a field's number of bytes; `nil` if the field is missing or malformed.
    func byteCount(_ name: HTTPField.Name) -> Int64? {
        guard let text = self[name]?.trimmingSpaces, !text.isEmpty, text.utf8.allSatisfy({ (48...57).contains($0) })
        else { return nil }
        return Int64(text)
    }
}
