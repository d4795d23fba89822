internal import AirframeTransport
internal import FoundationEssentials

extension HAR.Content {
    /// Creates the content of a response from its sample.
    init(
        _ sample: HAR.BodySample?,
        mimeType: String?,
        receivedSize: Int64,
        decodedSize: Int64?,
        remainingCoding: String?,
        _ options: HAR.RecordingOptions
    ) {
        let size = decodedSize ?? max(sample?.byteCount ?? 0, receivedSize)
        self.init(size: size, mimeType: mimeType ?? "x-unknown")
        if let decodedSize { compression = decodedSize - receivedSize }
        if let remainingCoding {
            custom["_contentEncoding"] = .string(remainingCoding)
            comment = "the content is still coded: \(remainingCoding)"
        }
        guard let sample, sample.byteCount > 0 else {
            if size > 0 { comment = "the content was not recorded" }
            return
        }
        let body = HAR.BodyText(sample, mimeType: self.mimeType, options, isCoded: remainingCoding != nil)
        text = body.text
        encoding = body.encoding
        comment = body.remark ?? comment
        if !sample.isWhole { custom["_truncated"] = true }
    }
}

extension HAR.PostData {
    /// Creates the content of a request from its sample.
    init(_ sample: HAR.BodySample?, mimeType: String, sentSize: Int64, _ options: HAR.RecordingOptions) {
        self.init(mimeType: mimeType)
        guard let sample, sample.byteCount > 0 else {
            comment = "the content of \(sentSize) bytes was not recorded"
            return
        }
        let body = HAR.BodyText(sample, mimeType: sample.isMislabeledForm(mimeType) ? "" : mimeType, options)
        if let form = body.form {
            params = form.map { name, value in
                HAR.Parameter(name: name, value: options.redaction.parameter(value ?? "", named: name))
            }
        } else {
            text = body.text
            encoding = body.encoding
        }
        comment = body.remark
        if !sample.isWhole { custom["_truncated"] = true }
    }
}

extension HAR.BodySample {
    /// Whether the content only seems to be a form: sessions and curl send content without a type as one. Its secrets
    /// must be searched for as in content without a type.
    fileprivate func isMislabeledForm(_ mimeType: String) -> Bool {
        HAR.BodyText.isForm(mimeType) && (isUntyped || RedactionPolicy.isDocument(bytes))
    }
}

extension HAR {
    /// A body in the form of an archive: text, or base64 for other content.
    struct BodyText {
        private(set) var text: String?
        private(set) var encoding: String?
        private(set) var remark: String?
        /// The pairs of a form that was recorded completely.
        private(set) var form: [(name: String, value: String?)]?

        init(_ sample: BodySample, mimeType: String, _ options: RecordingOptions, isCoded: Bool = false) {
            let count = sample.bytes.count
            if !sample.isWhole { remark = "the first \(count) of \(sample.byteCount) bytes" }
            guard count > 0 else {
                remark = "the content of \(sample.byteCount) bytes was not recorded"
                return
            }
            guard !isCoded, let text = Self.text(sample) else {
                // Coded content is recorded as received, so that a fixture replays it (decision 27).
                guard isCoded || !Self.hasSecretNames(mimeType, options) else {
                    remark = "content with names that is not text cannot be searched for secrets and was left out"
                    return
                }
                self.text = sample.bytes.base64EncodedString()
                encoding = "base64"
                return
            }
            switch Self.kind(of: mimeType) {
            case .form:
                if sample.isWhole { form = HAR.pairs(ofForm: text) }
                self.text = options.redaction.form(text)
            case .json where options.redactsJSON && options.redaction.hidesParameters:
                self.text = Self.masked(json: text, isWhole: sample.isWhole, options.redaction)
                if self.text == nil { remark = "malformed JSON cannot be searched for secrets and was left out" }
            case .json where options.keepsPlainText: self.text = text
            default:
                var redaction = options.redaction
                if options.keepsPlainText { redaction.showsPlainText = true }
                self.text = redaction.text(text, mediaType: mimeType)
            }
        }

        /// Returns `json` without its secrets: one value, or one value in each line. Returns `nil` if it is neither.
        private static func masked(json: String, isWhole: Bool, _ redaction: RedactionPolicy) -> String? {
            let mediaType = "application/json"
            if !isWhole || (try? HAR.Parser.parse(Data(json.utf8))) != nil {
                return redaction.text(json, mediaType: mediaType)
            }
            var lines: [String] = []
            for line in json.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
                guard !line.isEmpty else {
                    lines.append("")
                    continue
                }
                guard (try? HAR.Parser.parse(Data(line))) != nil else { return nil }
                lines.append(redaction.text(String(Substring(line)), mediaType: mediaType))
            }
            return lines.joined(separator: "\n")
        }

        private enum Kind {
            case form
            case json
            case other
        }

        /// Whether a type is that of a form.
        static func isForm(_ mimeType: String) -> Bool { kind(of: mimeType) == .form }

        /// Returns the type and subtype, without parameters.
        private static func essence(of mimeType: String) -> String {
            Substring(mimeType.utf8.prefix { $0 != UInt8(ascii: ";") && $0 > 0x20 }).lowercased()
        }

        /// Whether content of a type has names by which the policy finds secrets.
        private static func hasSecretNames(_ mimeType: String, _ options: RecordingOptions) -> Bool {
            guard options.redaction.hidesParameters else { return false }
            let type = essence(of: mimeType)
            if type.hasSuffix("json") || type.hasSuffix("json-seq") { return options.redactsJSON }
            return kind(of: mimeType) == .form || type.hasPrefix("multipart/") || type.hasSuffix("xml")
                || type == "text/html"
        }

        private static func kind(of mimeType: String) -> Kind {
            let type = essence(of: mimeType)
            if type == "application/x-www-form-urlencoded" { return .form }
            return type == "application/json" || type.hasSuffix("+json") ? .json : .other
        }

        /// The bytes as text, if they are UTF-8 without control characters that text does not have. A character that
        /// the limit cut is omitted.
        private static func text(_ sample: BodySample) -> String? {
            var bytes = sample.bytes
            for _ in 0...(sample.isWhole ? 0 : 3) {
                if let text = String(validating: bytes, as: UTF8.self) {
                    return text.utf8.contains(where: isBinary) ? nil : text
                }
                bytes = bytes.dropLast()
            }
            return nil
        }

        private static func isBinary(_ byte: UInt8) -> Bool {
            byte < 0x20 && ![0x09, 0x0A, 0x0C, 0x0D].contains(byte)
        }
    }
}
