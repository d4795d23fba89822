internal import CCurl

/// One libcurl easy handle: the only place that calls `curl_easy_…`.
///
/// A class, because the handle has identity and is kept for later transfers (creating one costs 1–2 µs and a few KiB),
/// and because libcurl calls back with its address. The first setting that fails is stored in ``failure``, which is
/// checked once, after all settings. Only the holder of the loop's turn accesses its properties.
final class EasyHandle {
    /// The kind of requests that a handle is set up for.
    enum Purpose: Equatable {
        /// Requests without content that go directly to the server. They share all settings but the URL and the header
        /// fields.
        case plain(isSecure: Bool)
        case particular
    }

    let pointer: UnsafeMutableRawPointer
    @exclusivity(unchecked) private(set) var failure: CURLcode = CURLE_OK
    /// The purpose that the handle is set up for; `nil` if it is not set up.
    @exclusivity(unchecked) var purpose: Purpose?
    /// The transfer that gets libcurl's calls, while the handle is in a multi handle.
    @exclusivity(unchecked) var transfer: Transfer?
    /// The last URL that was set; libcurl copies it for each transfer.
    @exclusivity(unchecked) private var address: URLParts?
    // libcurl writes its message here for as long as the handle lives.
    private let message: UnsafeMutablePointer<CChar>

    init?() {
        guard let pointer = curl_easy_init() else { return nil }
        self.pointer = pointer
        message = .allocate(capacity: Int(CURL_ERROR_SIZE))
        message.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        bindMessage()
    }

    deinit {
        curl_easy_cleanup(pointer)
        message.deallocate()
    }

    /// Resets the handle to the state of a new one, and removes its share.
    func reset() {
        // A share that handles refer to cannot be freed, and curl_easy_reset keeps the reference.
        set(CURLOPT_SHARE, pointer: nil)
        curl_easy_reset(pointer)
        failure = CURLE_OK
        purpose = nil
        address = nil
        bindMessage()
    }

    /// Sets the URL in parsed form, so that later transfers with the same URL need not parse it.
    func setAddress(_ url: String) {
        guard address?.text != url else { return }
        let parts = URLParts(url)
        // libcurl reports why a URL cannot be parsed.
        set(CURLOPT_CURLU, pointer: parts.map { UnsafeRawPointer($0.pointer) })
        set(CURLOPT_URL, url)
        address = parts
    }

    /// Sets the size of the receive buffer. libcurl 7.88 ignores it if it has kept the buffer of an HTTP/2 stream that
    /// ended before others of its connection.
    func setReceiveBufferSize(_ size: Int) { _ = airframe_setopt_long(pointer, CURLOPT_BUFFERSIZE, size) }

    /// libcurl's message on the failure, if there is one.
    var errorMessage: String? {
        message.pointee == 0 ? nil : String(cString: message)
    }

    /// Clears the message.
    func forgetMessage() { message.pointee = 0 }

    private func bindMessage() {
        message.pointee = 0
        note(airframe_setopt_pointer(pointer, CURLOPT_ERRORBUFFER, message))
    }

    private func note(_ code: CURLcode) {
        if failure == CURLE_OK { failure = code }
    }
}

// MARK: Settings

extension EasyHandle {
    func set(_ option: CURLoption, _ value: Int) { note(airframe_setopt_long(pointer, option, value)) }

    func set(_ option: CURLoption, _ value: Bool) { note(airframe_setopt_long(pointer, option, value ? 1 : 0)) }

    func set(_ option: CURLoption, offset value: Int64) {
        note(airframe_setopt_offset(pointer, option, curl_off_t(value)))
    }

    /// Sets a string, which libcurl copies; `nil` unsets the option.
    func set(_ option: CURLoption, _ value: String?) { note(airframe_setopt_string(pointer, option, value)) }

    func set(_ option: CURLoption, pointer value: UnsafeRawPointer?) {
        note(airframe_setopt_pointer(pointer, option, value))
    }

    /// Sets a list, which must outlive the transfer.
    func set(_ option: CURLoption, list value: HeaderList?) {
        note(airframe_setopt_list(pointer, option, value?.pointer))
    }

    func setData(_ option: CURLoption, _ callback: curl_write_callback?) {
        note(airframe_setopt_data(pointer, option, callback))
    }

    func setDebug(_ callback: curl_debug_callback?) { note(airframe_setopt_debug(pointer, callback)) }

    func setSeek(_ callback: curl_seek_callback?) { note(airframe_setopt_seek(pointer, callback)) }

    func setProgress(_ callback: curl_xferinfo_callback?) { note(airframe_setopt_xferinfo(pointer, callback)) }

    func setTrailer(_ callback: curl_trailer_callback?) { note(airframe_setopt_trailer(pointer, callback)) }

    func setResolverStart(_ callback: curl_resolver_start_callback?) {
        note(airframe_setopt_resolver_start(pointer, callback))
    }

    func setOpenSocket(_ callback: curl_opensocket_callback?) { note(airframe_setopt_opensocket(pointer, callback)) }

    func setCloseSocket(_ callback: curl_closesocket_callback?) {
        note(airframe_setopt_closesocket(pointer, callback))
    }

    func setPrerequest(_ callback: curl_prereq_callback?) { note(airframe_setopt_prerequest(pointer, callback)) }

    func setTLSContext(_ callback: curl_ssl_ctx_callback?) { note(airframe_setopt_tls_context(pointer, callback)) }
}

// MARK: Running

extension EasyHandle {
    /// Pauses the directions in a set of `CURLPAUSE_…` bits and resumes the others, which may call the transfer's
    /// callbacks.
    @discardableResult
    func pause(_ directions: Int32) -> CURLcode { curl_easy_pause(pointer, directions) }

    func long(_ info: CURLINFO) -> Int {
        var value = 0
        return airframe_getinfo_long(pointer, info, &value) == CURLE_OK ? value : 0
    }

    func offset(_ info: CURLINFO) -> Int64 {
        var value: curl_off_t = 0
        return airframe_getinfo_offset(pointer, info, &value) == CURLE_OK ? Int64(value) : 0
    }

    func string(_ info: CURLINFO) -> String? {
        var value: UnsafePointer<CChar>?
        guard airframe_getinfo_string(pointer, info, &value) == CURLE_OK, let value else { return nil }
        return String(cString: value)
    }

    /// The OpenSSL connection (`SSL *`) of the transfer, while it has one.
    var tlsConnection: OpaquePointer? {
        var session: UnsafeMutablePointer<curl_tlssessioninfo>?
        guard airframe_getinfo_tls(pointer, &session) == CURLE_OK, let session,
            session.pointee.backend == CURLSSLBACKEND_OPENSSL, let connection = session.pointee.internals
        else { return nil }
        return OpaquePointer(connection)
    }
}
