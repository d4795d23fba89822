internal import AirframeTransport
internal import AirframeWire
internal import CCurl
internal import FoundationEssentials
internal import HTTPTypes

/// The functions that libcurl calls while it runs a transfer.
extension Transfer {
    func setCallbacks() {
        easy.set(CURLOPT_PRIVATE, pointer: easy.owner)
        setResponseCallbacks()
        setMessageCallback()
        setConnectionCallbacks()
        guard !plan.body.isNone else { return }
        if upload != nil { setUploadCallbacks() }
        easy.set(CURLOPT_NOPROGRESS, false)
        easy.set(CURLOPT_XFERINFODATA, pointer: easy.owner)
        easy.setProgress { pointer, _, _, _, uploaded in
            Transfer.of(pointer)?.noteUploaded(Int64(uploaded))
            return 0
        }
    }

    private func setResponseCallbacks() {
        easy.set(CURLOPT_HEADERDATA, pointer: easy.owner)
        easy.setData(CURLOPT_HEADERFUNCTION) { bytes, size, count, pointer in
            guard let transfer = Transfer.of(pointer), let bytes else { return 0 }
            return transfer.readHeader(Transfer.buffer(bytes, size * count)) ? size * count : 0
        }
        easy.set(CURLOPT_WRITEDATA, pointer: easy.owner)
        easy.setData(CURLOPT_WRITEFUNCTION) { bytes, size, count, pointer in
            guard let transfer = Transfer.of(pointer), let bytes else { return 0 }
            return transfer.readBody(Transfer.buffer(bytes, size * count))
        }
    }

    private func setMessageCallback() {
        easy.set(CURLOPT_DEBUGDATA, pointer: easy.owner)
        easy.setDebug { _, kind, text, count, pointer in
            guard kind == CURLINFO_TEXT, let transfer = Transfer.of(pointer), let text else { return 0 }
            transfer.noteMessage(Transfer.buffer(text, count))
            return 0
        }
    }

    private func setConnectionCallbacks() {
        easy.set(CURLOPT_RESOLVER_START_DATA, pointer: easy.owner)
        easy.setResolverStart { _, _, pointer in
            Transfer.of(pointer)?.needAddress() == false ? 1 : 0
        }
        easy.set(CURLOPT_OPENSOCKETDATA, pointer: easy.owner)
        easy.setOpenSocket { pointer, _, address in
            guard let transfer = Transfer.of(pointer), let address else { return CURL_SOCKET_BAD }
            return transfer.openSocket(address)
        }
        // A connection outlives its transfer, so the context is notified of its end.
        easy.set(CURLOPT_CLOSESOCKETDATA, pointer: Unmanaged.passUnretained(context).toOpaque())
        easy.setCloseSocket { pointer, descriptor in
            guard let pointer else { return 0 }
            return Unmanaged<Context>.fromOpaque(pointer).takeUnretainedValue().engine.closeSocket(descriptor)
        }
        easy.set(CURLOPT_PREREQDATA, pointer: easy.owner)
        easy.setPrerequest { pointer, remote, local, remotePort, localPort in
            guard let transfer = Transfer.of(pointer), let remote, let local else { return CURL_PREREQFUNC_ABORT }
            let isReady = transfer.beginRequest(
                remote: (String(cString: remote), Int(remotePort)),
                local: (String(cString: local), Int(localPort))
            )
            return isReady ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
        }
    }

    private func setUploadCallbacks() {
        easy.set(CURLOPT_READDATA, pointer: easy.owner)
        easy.setData(CURLOPT_READFUNCTION) { buffer, size, count, pointer in
            guard let transfer = Transfer.of(pointer), let buffer else { return Int(airframe_readfunc_abort) }
            return transfer.fill(UnsafeMutableRawBufferPointer(start: buffer, count: size * count))
        }
        easy.set(CURLOPT_SEEKDATA, pointer: easy.owner)
        easy.setSeek { pointer, offset, _ in
            Transfer.of(pointer)?.rewind(to: Int64(offset)) == true ? CURL_SEEKFUNC_OK : CURL_SEEKFUNC_FAIL
        }
        guard plan.request.body.trailers != nil else { return }
        easy.set(CURLOPT_TRAILERDATA, pointer: easy.owner)
        easy.setTrailer { list, pointer in
            guard let transfer = Transfer.of(pointer), let list else { return CURL_TRAILERFUNC_ABORT }
            list.pointee = transfer.trailerList()
            return CURL_TRAILERFUNC_OK
        }
    }

    private static func buffer(_ bytes: UnsafeMutablePointer<CChar>, _ count: Int) -> UnsafeBufferPointer<UInt8> {
        let raw = UnsafeRawBufferPointer(start: bytes, count: count)
        return raw.bindMemory(to: UInt8.self)
    }
}

// MARK: The request

extension Transfer {
    /// Fills libcurl's buffer with bytes of the request's body.
    private func fill(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
        guard let upload else { return 0 }
        if let gate = plan.request.uploadGate, !gate.isOpen {
            engine.wakeUp(.hold(gate, id))
            return Int(airframe_readfunc_pause)
        }
        switch upload.read(into: buffer) {
        case .bytes(let count):
            chunks?.add(count)
            return count
        case .end:
            // libcurl calls again when it has sent everything that it had.
            if let chunks { noteSent(content: chunks.total) }
            if plan.body.announcedLength == nil { finishRequest() }
            return 0
        case .pause(let mustPull):
            if mustPull, let pump = upload.pump { engine.wakeUp(.pull(pump)) }
            return Int(airframe_readfunc_pause)
        case .failed(let error):
            failure = error
            return Int(airframe_readfunc_abort)
        }
    }

    /// Rewinds the body, which libcurl sends again from `offset` because a kept connection was dead.
    private func rewind(to offset: Int64) -> Bool {
        guard let upload, upload.rewind(to: offset, replay: plan.request.body.replay) else {
            failure =
                refusal
                ?? TransportError(
                    .bodyNotReplayable,
                    phase: .requestBody,
                    processing: .unknown,
                    message: "the kept connection was lost, and the request's body cannot be sent a second time",
                    origin: plan.origin
                )
            return false
        }
        if chunks != nil { chunks = SentChunks() }
        return true
    }

    private func trailerList() -> UnsafeMutablePointer<curl_slist>? {
        let list = HeaderList()
        for field in upload?.trailers ?? HTTPFields() {
            field.withUnsafeBytesOfValue { list.appendTrailer(name: field.name.rawName, value: $0) }
        }
        return list.copy()
    }

    /// Records the number of bytes of the body that libcurl has sent, including the framing of chunks.
    private func noteUploaded(_ count: Int64) {
        guard stage >= .send, stage != .over else { return }
        noteSent(content: chunks?.contentCount(of: count) ?? count)
    }

    private func noteSent(content count: Int64) {
        guard count > uploadedCount else { return }
        let added = count - uploadedCount
        uploadedCount = count
        restartWriteIdle()
        emit(.requestBodySent(byteCount: added, total: count))
        if count == plan.body.announcedLength { finishRequest() }
    }

    /// Records that the request has been sent whole.
    func finishRequest() {
        guard isSending else { return }
        isSending = false
        emit(.requestFinished)
        if stage == .send {
            enter(parser.isWithinHead ? .head : .respond)
        } else if limits.isAny {
            // The final head has arrived. The limit on idle reading starts now.
            let now = Monotonic.now
            limits.restartReadIdle(now)
            engine.arm(self, now: now)
        }
    }
}

// MARK: The response

extension Transfer {
    /// Reads a line of a head or a trailer. Returns `false` to end the transfer.
    func readHeader(_ line: UnsafeBufferPointer<UInt8>) -> Bool {
        guard stage.hasSent else { return readTunnelHeader(line) }
        if parser.expectsStatusLine { exchangeMemory() }
        do {
            let progress = try parser.read(line)
            restartReadIdle()
            switch progress {
            case .more:
                if stage < .head { beginResponse() }
            case .informational(let head):
                exchangeMemory()
                // The wait for the final response begins anew.
                if stage == .head { enter(.respond) }
                emit(.informationalResponse(head))
            case .final(let head, let length):
                exchangeMemory()
                return acceptHead(head, length: length)
            case .trailer:
                break
            }
            return true
        } catch {
            failure = responseError(error)
            return false
        }
    }

    /// Takes the connection's last head before a head is read, or returns it afterwards.
    private func exchangeMemory() {
        if let link { swap(&parser.memory, &link.headMemory) }
    }

    private func beginResponse() {
        // While content is being sent, the server need not continue a head.
        if stage != .send { enter(.head) }
    }

    private func acceptHead(_ head: HTTPResponse, length: Int64?) -> Bool {
        guard !plan.route.forwards(to: plan.origin) || head.status.code != 407 else {
            failure = proxyError("the proxy requires credentials", status: 407)
            return false
        }
        if isMisdirected(head) { return false }
        return holdsBack(head, length: length) || acceptFinalHead(head, length: length)
    }

    /// Makes `head` the response's.
    func acceptFinalHead(_ head: HTTPResponse, length: Int64?) -> Bool {
        // libcurl discards the body of a 417 to an expectation.
        let isDeclined = !plan.body.isNone && head.status.code == 417 && plan.expectsContinue
        let length = isDeclined ? 0 : length
        // libcurl does not send the content after this response.
        if isDeclined { isSending = false }
        if parser.isChunked, !isDeclined {
            decoder = ChunkDecoder()
            // HTTP/1.0 has no transfer codings, so the framing of the message is in doubt (RFC 9112 §6.1).
            if parser.version == .http1_0 { forbidReuse() }
        }
        if length == 0, !parser.rules.isHTTP2 { listenForSurplus() }
        expectedLength = length
        start = ResponseStart(head: head, connection: describeConnection(), expectedLength: length)
        emit(.responseHead(head, byteCount: parser.byteCount))
        enter(.body)
        engine.markDirty(self)
        return true
    }

    /// Whether libcurl may answer another challenge of a proxy. It would answer Digest's `stale=true` without end.
    private func mayAskProxyAgain() -> Bool {
        proxyAnswerCount += 1
        guard proxyAnswerCount > Self.proxyAnswerLimit else { return true }
        failure = proxyError("the proxy refused the credentials \(Self.proxyAnswerLimit) times", status: 407)
        return false
    }

    /// The maximum number of a proxy's responses. NTLM and Negotiate need three.
    private static let proxyAnswerLimit = 5

    /// Reads a line of a proxy's response to `CONNECT`, which arrives before the request is sent.
    private func readTunnelHeader(_ line: UnsafeBufferPointer<UInt8>) -> Bool {
        let text = String(decoding: line.prefix(64), as: UTF8.self)
        if text.hasPrefix("HTTP/"), !mayAskProxyAgain() { return false }
        if text.hasPrefix("HTTP/"), let code = text.split(separator: " ").dropFirst().first.flatMap({ Int($0) }) {
            tunnel.status = code
        } else if line.first == 13 || line.first == 10, let status = tunnel.status, (200..<300).contains(status) {
            tunnel.isUp = true
            emit(.proxyFinished(status: status))
        }
        return true
    }
}
