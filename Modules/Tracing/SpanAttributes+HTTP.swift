internal import AirframeTransport
internal import HTTPTypes
internal import Tracing

// The names are those of OpenTelemetry's semantic conventions for HTTP clients, network peers, DNS and TLS.

extension SpanAttributes {
    /// Sets the attributes of a request that requests and attempts share.
    mutating func describe(_ head: HTTPRequest, by configuration: TracingConfiguration) {
        self["http.request.method"] = head.method.conventionalName
        if head.method.conventionalName == HTTPRequest.Method.otherName {
            self["http.request.method_original"] = head.method.rawValue
        }
        self["url.full"] = configuration.redaction.url(head.fullURL)
        guard let origin = Origin(head) else { return }
        self["server.address"] = origin.host
        self["server.port"] = origin.port
    }

    /// Sets the additional attributes of an attempt.
    mutating func describeAttempt(
        _ number: Int,
        _ head: HTTPRequest,
        template: String?,
        by configuration: TracingConfiguration
    ) {
        if number > 0 { self["http.request.resend_count"] = number }
        if let template { self["url.template"] = template }
        if configuration.recordsUserAgent { self["user_agent.original"] = head.headerFields[.userAgent] }
        for name in configuration.requestFields {
            record(name, of: head.headerFields, as: "http.request.header.", configuration)
        }
    }

    mutating func describe(_ head: HTTPResponse, by configuration: TracingConfiguration) {
        self["http.response.status_code"] = head.status.code
        if head.status.code >= 400 { self["error.type"] = String(head.status.code) }
        for name in configuration.responseFields {
            record(name, of: head.headerFields, as: "http.response.header.", configuration)
        }
    }

    mutating func describe(_ connection: TransportConnection) {
        self["network.protocol.name"] = "http"
        self["network.protocol.version"] = connection.httpVersion.number
        self["airframe.connection.reused"] = connection.isReused
        self["airframe.connection.stream_id"] = connection.streamID
        if let peer = connection.remoteAddress { describe(peer: peer) }
    }

    mutating func describe(peer address: SocketAddress) {
        switch address {
        case .ip(let text, let port):
            self["network.peer.address"] = text
            self["network.peer.port"] = port
        case .unix(let path):
            self["network.peer.address"] = path
            self["network.transport"] = "unix"
        }
    }

    mutating func describe(_ tls: TLSDescription) {
        self["tls.protocol.name"] = "tls"
        self["tls.protocol.version"] = String(tls.version.description.dropFirst("TLS ".count))
        self["tls.cipher"] = tls.cipherSuite
        self["tls.resumed"] = tls.isResumed
        if let chosen = tls.applicationProtocol { self["tls.next_protocol"] = chosen }
    }

    /// Fields are lists in the conventions, because most can occur more than once.
    private mutating func record(
        _ name: HTTPField.Name,
        of fields: HTTPFields,
        as prefix: String,
        _ configuration: TracingConfiguration
    ) {
        let values = fields[values: name]
        guard !values.isEmpty else { return }
        self[prefix + name.canonicalName] = SpanAttribute.stringArray(
            values.map { configuration.redaction.value($0, of: name) }
        )
    }
}
