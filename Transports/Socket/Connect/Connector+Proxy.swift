internal import AirframeTransport
internal import Glibc
internal import HTTPTypes

/// Connections through a proxy.
extension Connector {
    /// Establishes the connection through `proxy`, to which `link` is connected.
    ///
    /// - Returns: The stream to the server, or to a proxy that forwards requests.
    func pass(_ proxy: Proxy, _ link: Link) async throws(TransportError) -> ByteStream {
        exchange.advance(to: .proxy)
        exchange.emit(.proxyStarted(link.address))
        var stream = ByteStream(socket: link.socket, tls: nil)
        if proxy.kind == .https {
            stream = try await secure(stream, .proxy(proxy))
            if let tls = stream.tls { _ = try description(of: tls, .proxy(proxy)) }
        }
        let talk = ProxyTalk(self, stream, proxy)
        defer { talk.end() }
        let status: Int?
        switch proxy.kind {
        case .http, .https: status = exchange.plan.isForwarded ? nil : try await openTunnel(talk)
        case .socks4, .socks4a:
            try await SOCKS4(talk).pass()
            status = nil
        case .socks5, .socks5h:
            try await SOCKS5(talk).pass()
            status = nil
        }
        exchange.emit(.proxyFinished(status: status))
        return stream
    }

    /// Requests a tunnel (RFC 9110 §9.3.6). Returns the proxy's status.
    private func openTunnel(_ talk: ProxyTalk) async throws(TransportError) -> Int {
        let origin = exchange.plan.origin
        let host = origin.host.contains(":") ? "[\(origin.host)]" : origin.host
        let authority = "\(host):\(origin.port)"
        var head = HTTPRequest(method: .connect, scheme: nil, authority: authority, path: nil)
        if let credential = talk.proxy.credential {
            head.headerFields[.proxyAuthorization] = credential.basicAuthorization
        }
        var bytes: [UInt8] = []
        let traits = try HTTP1RequestWriter.write(RequestHead(head), to: &bytes, origin: origin)
        try await talk.write(bytes)
        var parser = HTTP1ResponseParser(limits: engine.parserLimits, origin: origin)
        parser.begin(traits.kind)
        while true {
            let input = try await talk.readSome()
            var position = 0
            while case let event = try next(&parser, input, &position), event != .needsMore {
                guard case .head(let head, _, _) = event else { continue }
                try talk.check(head.head)
                guard position == input.count else { throw talk.failure("it sent unsolicited bytes") }
                return head.statusCode
            }
        }
    }

    private func next(
        _ parser: inout HTTP1ResponseParser,
        _ input: [UInt8],
        _ position: inout Int
    ) throws(TransportError) -> HTTP1ResponseEvent {
        do throws(TransportError) {
            return try parser.next(in: input.span.bytes, from: &position)
        } catch {
            throw exchange.plan.error(
                .proxyFailed, phase: .proxy, message: "the proxy's answer is not HTTP: \(error.message)")
        }
    }
}
