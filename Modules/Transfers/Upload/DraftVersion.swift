internal import HTTPTypes

/// An interop version of draft-ietf-httpbis-resumable-upload, and how it phrases things.
enum DraftVersion: Int, Codable, Sendable, CaseIterable {
    /// Revision 01 of the draft.
    case three = 3
    /// Revisions 04 and 05 of the draft.
    case six = 6

    /// The version to try after a server has not answered to this one.
    var alternative: DraftVersion { self == .six ? .three : .six }

    /// The version that a response names.
    init?(_ fields: HTTPFields) {
        guard let value = fields[.uploadDraftInteropVersion], let number = Int(value.trimmingSpaces) else { return nil }
        self.init(rawValue: number)
    }

    /// Whether a request or response is about the end of an upload: `Upload-Complete`, or the reverse in version 3.
    func setComplete(_ isComplete: Bool, in fields: inout HTTPFields) {
        switch self {
        case .six: fields[.uploadComplete] = isComplete ? "?1" : "?0"
        case .three: fields[.uploadIncomplete] = isComplete ? "?0" : "?1"
        }
    }

    /// Whether the server says that it has all of the upload; `nil` when it says nothing.
    func isComplete(_ fields: HTTPFields) -> Bool? {
        switch self {
        case .six: fields[.uploadComplete].map { $0.trimmingSpaces == "?1" }
        case .three: fields[.uploadIncomplete].map { $0.trimmingSpaces == "?0" }
        }
    }

    /// The content type of appended content, where the version has one.
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
    /// The text without spaces and tabs around it.
    var trimmingSpaces: String {
        var rest = self[...]
        while rest.first == " " || rest.first == "\t" { rest.removeFirst() }
        while rest.last == " " || rest.last == "\t" { rest.removeLast() }
        return String(rest)
    }
}

extension HTTPFields {
    /// The number of bytes that a field names; `nil` when it is missing or names none.
    func byteCount(_ name: HTTPField.Name) -> Int64? {
        guard let text = self[name]?.trimmingSpaces, !text.isEmpty, text.utf8.allSatisfy({ (48...57).contains($0) })
        else { return nil }
        return Int64(text)
    }
}
