internal import CCurl

/// One libcurl multi handle: transfers that share connections, driven by sockets and a timer.
///
/// A class, because libcurl keeps its address.
final class MultiHandle {
    let pointer: UnsafeMutableRawPointer

    init?() {
        guard let pointer = curl_multi_init() else { return nil }
        self.pointer = pointer
    }

    /// Closes all connections and frees the handle. It must be the last call. Closing calls back, so `deinit` cannot do
    /// it.
    func close() { curl_multi_cleanup(pointer) }

    func set(_ option: CURLMoption, _ value: Int) { _ = airframe_multi_long(pointer, option, value) }

    /// Sets the functions by which libcurl names the sockets to watch and the time of its next call.
    func observe(
        _ observer: UnsafeMutableRawPointer,
        sockets: curl_socket_callback,
        timer: curl_multi_timer_callback
    ) {
        _ = airframe_multi_socket(pointer, sockets)
        _ = airframe_multi_pointer(pointer, CURLMOPT_SOCKETDATA, observer)
        _ = airframe_multi_timer(pointer, timer)
        _ = airframe_multi_pointer(pointer, CURLMOPT_TIMERDATA, observer)
    }

    func add(_ easy: EasyHandle) -> CURLMcode { curl_multi_add_handle(pointer, easy.pointer) }

    @discardableResult
    func remove(_ easy: EasyHandle) -> CURLMcode { curl_multi_remove_handle(pointer, easy.pointer) }

    /// Reports that a socket is ready for the events in `mask` (`CURL_CSELECT_…`).
    func socketIsReady(_ descriptor: Int32, mask: Int32) {
        var running: Int32 = 0
        _ = curl_multi_socket_action(pointer, descriptor, mask, &running)
    }

    /// Performs all work that needs no waiting.
    func perform() {
        var running: Int32 = 0
        _ = curl_multi_perform(pointer, &running)
    }

    /// Reports that the timer has expired.
    func timerRanOut() { socketIsReady(CURL_SOCKET_TIMEOUT_NUMBER, mask: 0) }

    /// Returns the next transfer that has ended, and its result.
    func nextEnded() -> (easy: UnsafeMutableRawPointer, result: CURLcode)? {
        var left: Int32 = 0
        while let message = curl_multi_info_read(pointer, &left) {
            guard message.pointee.msg == CURLMSG_DONE, let easy = message.pointee.easy_handle else { continue }
            return (easy, airframe_message_result(message))
        }
        return nil
    }
}

// `CURL_SOCKET_TIMEOUT` is a macro over a macro, which Swift does not import.
private let CURL_SOCKET_TIMEOUT_NUMBER: Int32 = -1

/// The TLS sessions that the transfers of several easy handles share.
final class ShareHandle {
    let pointer: UnsafeMutableRawPointer

    init?() {
        guard let pointer = curl_share_init() else { return nil }
        self.pointer = pointer
        // No lock functions are needed: all transfers that share it run in turns of one loop.
        _ = airframe_share(pointer, CURL_LOCK_DATA_SSL_SESSION)
    }

    deinit { curl_share_cleanup(pointer) }
}
