internal import HTTPTypes

// `dump` and debuggers print mirrors, and the mirrors of swift-http-types and of strings hide nothing. Types that hold
// a head, a URL or content therefore have custom mirrors.

extension TransportRequest: CustomReflectable {
    /// Head, options and identity, without secrets and content.
    public var customMirror: Mirror {
        let children: KeyValuePairs<String, Any> = [
            "head": head.redactedDescription, "fields": head.headerFields.shown, "body": body.shown, "options": options,
            "identity": identity as Any,
        ]
        return Mirror(self, children: children)
    }
}

extension TransportResponse: CustomReflectable {
    /// Status and fields, without secrets and content.
    public var customMirror: Mirror {
        Mirror(self, children: ["status": head.status.code, "fields": head.headerFields.shown])
    }
}

extension RequestBody: CustomReflectable {
    /// The length, and how often the content can be sent.
    public var customMirror: Mirror { Mirror(self, children: ["length": length as Any, "replay": replay]) }
}

extension RequestBody.Content: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The kind of content and its length.
    public var description: String {
        switch self {
        case .none: "none"
        case .bytes(let data): "\(data.count) bytes"
        case .file(let region): "\(region.length) bytes of \(region.path)"
        case .stream: "a stream"
        }
    }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// Nothing: ``description`` says what may be shown.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension RequestBody {
    fileprivate var shown: String { "\(content)" }
}

extension TransportEvent: CustomReflectable {
    /// The kind, without secrets, and the instant.
    public var customMirror: Mirror { Mirror(self, children: ["kind": "\(kind)", "instant": instant]) }
}

extension TransportEvent.Kind: CustomReflectable {
    /// Nothing: ``description`` says what may be shown.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension TransportDecision: CustomReflectable {
    /// The decision, without secrets, and its reason.
    public var customMirror: Mirror { Mirror(self, children: ["decision": description]) }
}

extension TransportDecision.Kind: CustomReflectable {
    /// Nothing: ``description`` says what may be shown.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension TransportError: CustomReflectable {
    /// The parts of the description. The underlying error is left out, because it may name URLs with their secrets.
    public var customMirror: Mirror {
        let children: KeyValuePairs<String, Any> = [
            "code": code.rawValue, "phase": phase, "processing": processing, "message": message,
            "origin": origin as Any,
        ]
        return Mirror(self, children: children)
    }
}

extension HTTPFields {
    /// The fields without their secrets.
    fileprivate var shown: [String] {
        RedactionPolicy.standard.redacted(self).map { "\($0.name): \($0.value)" }
    }
}
