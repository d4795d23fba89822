internal import AirframeTransport
internal import Foundation

// `dump` and debuggers use mirrors, and the default ones of strings and of `URL` show secrets. Values with fields,
// URLs, credentials or content have mirrors of their own.

extension HTTPHeader: CustomReflectable {
    /// The name and the value. Secrets are redacted.
    public var customMirror: Mirror {
        Mirror(self, children: ["name": name, "value": Redaction.value(value, of: name)])
    }
}

extension HTTPHeaders: CustomReflectable {
    /// The fields. Secrets are redacted.
    public var customMirror: Mirror {
        Mirror(self, unlabeledChildren: map(\.description), displayStyle: .collection)
    }
}

extension URLRequest: CustomReflectable {
    /// The method, the URL, the fields and the size of the body. Secrets are redacted.
    public var customMirror: Mirror {
        let children: KeyValuePairs<String, Any> = [
            "request": description, "headers": headers, "bodyLength": httpBody?.count as Any,
            "options": transportOptions,
        ]
        return Mirror(self, children: children)
    }
}

extension URLResponse: CustomReflectable {
    /// The status, the URL and the fields. Secrets are redacted.
    public var customMirror: Mirror {
        let fields = (self as? HTTPURLResponse)?.headers
        return Mirror(self, children: ["response": description, "headers": fields as Any])
    }
}

extension CachedURLResponse: CustomReflectable {
    /// The response's head and the size of its body. Secrets are redacted.
    public var customMirror: Mirror { Mirror(self, children: ["response": response, "length": data.count]) }
}

extension URLSessionConfiguration: CustomReflectable {
    /// The fields and options. Secrets are redacted.
    public var customMirror: Mirror {
        Mirror(self, children: ["headers": headers, "transportOptions": transportOptions])
    }
}

extension URLSessionTask: CustomReflectable {
    /// Number, state and request, without secrets.
    public var customMirror: Mirror {
        let children: KeyValuePairs<String, Any> = [
            "taskIdentifier": taskIdentifier, "state": state, "currentRequest": currentRequest as Any,
            "response": response as Any,
        ]
        return Mirror(self, children: children)
    }
}

extension URLSessionTaskMetrics: CustomReflectable {
    /// The transactions, without secrets.
    public var customMirror: Mirror {
        Mirror(self, children: ["transactionMetrics": transactionMetrics, "redirectCount": redirectCount])
    }
}

extension URLSessionTaskTransactionMetrics: CustomReflectable {
    /// Request and response, without secrets.
    public var customMirror: Mirror {
        Mirror(self, children: ["request": request as Any, "response": response as Any])
    }
}

extension Request: CustomReflectable {
    /// State and description, without secrets.
    public var customMirror: Mirror {
        let children: KeyValuePairs<String, Any> = [
            "id": id, "state": state, "description": description, "error": error as Any,
        ]
        return Mirror(self, children: children)
    }
}

extension Session: CustomReflectable {
    /// The engine and the configuration, without secrets.
    public var customMirror: Mirror {
        Mirror(self, children: ["engine": transport.capabilities.engine, "configuration": sessionConfiguration])
    }
}

extension AuthenticationInterceptor: CustomReflectable {
    /// Whether there is a credential, and not which.
    public var customMirror: Mirror { Mirror(self, children: ["hasCredential": credential != nil]) }
}
