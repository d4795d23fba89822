internal import Synchronization

/// Plays the steps of a scenario on one connection.
struct PeerScript {
    /// Ends a script before its last step.
    private enum Halt: Error {
        case clientClosed
        case ended
    }

    private let connection: ScriptedConnection
    private let signals: PeerSignals
    private let log: RawPeerLog
    private let front: TLSFront?

    /// - Parameter front: Does the TLS of the connection, if there is TLS.
    init(_ connection: ScriptedConnection, front: TLSFront? = nil, signals: PeerSignals, log: RawPeerLog) {
        self.connection = connection
        self.front = front
        self.signals = signals
        self.log = log
    }

    func run(_ steps: [PeerStep]) throws {
        do {
            signals.mark("accepted")
            for step in steps { try play(step) }
            try play(.awaitClose)
        } catch Halt.clientClosed {
            noteClosed()
        } catch Halt.ended {
            signals.mark("ended")
        }
    }

    private func noteClosed() {
        log.note(connection.index) { $0.isClosedByClient = true }
        signals.mark("closed")
    }

    private func play(_ step: PeerStep) throws {
        switch step {
        case .readHead: try readHead()
        case .readBody: try readBody()
        case .readRequest:
            try readHead()
            try readBody()
        case .readHTTP2Preface: try reading { try HTTP2Reader(connection: connection).readPreface() }
        case .readHTTP2Head: try readHTTP2Head()
        case .readHTTP2Body: try readHTTP2Body()
        case .readHTTP2Request:
            try readHTTP2Head()
            try readHTTP2Body()
        case .readHTTP2Frame(let type, let flags): try readHTTP2Frame(type, flags)
        case .watchForHTTP2Head(let limit, let mark): try watchForHTTP2Head(limit, mark)
        case .floodAndDiscard(let bytes): try floodAndDiscard(bytes)
        case .sendBytes(let bytes): try send(bytes)
        case .reply(let make): try send(make(lastRequest))
        case .trickle(let bytes, let pause):
            try bytes.forEach { byte in
                try send([byte])
                connection.pause(pause)
            }
        case .flood(let bytes, let total): try flood(bytes, total)
        case .echoChunks: try echoChunks()
        case .echoBytes: try echoBytes()
        case .mark(let name): signals.mark(name)
        case .await(let gate): signals.block(until: gate)
        case .awaitClose:
            _ = try? connection.readToEnd()
            throw Halt.clientClosed
        case .finishWriting: connection.finishWriting()
        case .close:
            connection.close()
            throw Halt.ended
        case .reset:
            if let front { front.reset() } else { connection.reset() }
            throw Halt.ended
        case .cut:
            if let front { front.cut() } else { connection.close() }
            throw Halt.ended
        case .forever(let steps):
            while true { for step in steps { try play(step) } }
        }
    }

    // MARK: Reading

    private func reading<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch {
            throw Halt.clientClosed
        }
    }

    private var lastRequest: ObservedRequest {
        log.observed(connection.index).requests.last ?? ObservedRequest(method: "", target: "", fields: [])
    }

    private func update(_ change: (inout ObservedRequest) -> Void) {
        log.note(connection.index) { observed in
            guard let last = observed.requests.indices.last else { return }
            change(&observed.requests[last])
        }
    }

    private func readHead() throws {
        let request = ObservedRequest(head: try reading { try connection.readHead() })
        log.note(connection.index) { $0.requests.append(request) }
        signals.mark("head")
    }

    private func readBody() throws {
        let request = lastRequest
        if request.values("Transfer-Encoding").last?.lowercased() == "chunked" {
            let (content, trailers) = try reading { try connection.readChunkedBody() }
            update { request in
                request.body = content
                request.trailers = trailers.map(ObservedRequest.field)
            }
        } else if let length = request.values("Content-Length").first.flatMap({ Int($0) }), length > 0 {
            let content = try reading { try connection.read(length) }
            update { $0.body = content }
        }
        update { $0.isComplete = true }
        signals.mark("request")
    }

    private func readHTTP2Head() throws {
        let head = try reading { try HTTP2Reader(connection: connection).readHead() }
        var request = ObservedRequest(method: "", target: "", version: "HTTP/2", fields: [])
        request.http2Head = head
        log.note(connection.index) { $0.requests.append(request) }
        signals.mark("head")
    }

    private func readHTTP2Frame(_ type: UInt8, _ flags: UInt8) throws {
        try reading {
            let reader = HTTP2Reader(connection: connection)
            while case let frame = try reader.readFrame(), frame.type != type || frame.flags & flags != flags {}
        }
    }

    private func watchForHTTP2Head(_ limit: Duration, _ mark: String) throws {
        let deadline = ContinuousClock.now + limit
        var frames: [HTTP2Frame] = []
        while case let left = deadline - ContinuousClock.now, left > .zero {
            guard connection.hasReceived(within: left) else { break }
            frames.append(try reading { try HTTP2Reader(connection: connection).readFrame() })
        }
        if frames.contains(where: { $0.type == 1 }) { signals.mark(mark) }
        connection.putBack(frames.bytes)
    }

    private func readHTTP2Body() throws {
        guard let head = lastRequest.http2Head else { return }
        try reading {
            try HTTP2Reader(connection: connection).readContent(of: head) { bytes in
                update { $0.body += bytes }
            }
        }
        update { $0.isComplete = true }
        signals.mark("request")
    }

    // MARK: Sending

    private func send(_ bytes: [UInt8]) throws {
        do {
            try connection.send(bytes)
        } catch {
            throw Halt.clientClosed
        }
    }

    private func flood(_ bytes: [UInt8], _ total: Int?) throws {
        var rest = total ?? .max
        var isBlocked = false
        while rest > 0 {
            let block = rest < bytes.count ? Array(bytes.prefix(rest)) : bytes
            if !isBlocked, !connection.canSend(within: .milliseconds(300)) {
                isBlocked = true
                signals.mark("blocked")
            }
            try send(block)
            rest -= block.count
        }
        signals.mark("flooded")
    }

    private func floodAndDiscard(_ bytes: [UInt8]) throws {
        var block: [UInt8] = []
        while block.count < 1 << 16 { block += bytes }
        var total = 0
        while true {
            try send(block)
            connection.discardReceived()
            total += block.count
            if total >= 1 << 20, total - block.count < 1 << 20 { signals.mark("flooding") }
        }
    }

    private func echoChunks() throws {
        while true {
            let chunk = try reading { try connection.readChunk() }
            try send(Array("\(String(chunk.count, radix: 16))\r\n".utf8) + chunk + [13, 10])
            update { $0.body += chunk }
            if chunk.isEmpty { return }
        }
    }

    private func echoBytes() throws {
        while true {
            let bytes = try reading { try connection.readSome() }
            guard !bytes.isEmpty else { break }
            try send(bytes)
        }
        connection.finishWriting()
    }
}
