internal import CCurl

/// A URL that libcurl has parsed.
///
/// A class, because it owns memory that libcurl has allocated.
final class URLParts {
    let text: String
    let pointer: OpaquePointer

    /// Parses `text` as libcurl does for a transfer with `CURLOPT_PATH_AS_IS`; `nil` if libcurl rejects it.
    init?(_ text: String) {
        guard let pointer = curl_url() else { return nil }
        let flags = UInt32(CURLU_GUESS_SCHEME | CURLU_NON_SUPPORT_SCHEME | CURLU_PATH_AS_IS)
        guard curl_url_set(pointer, CURLUPART_URL, text, flags) == CURLUE_OK else {
            curl_url_cleanup(pointer)
            return nil
        }
        self.text = text
        self.pointer = pointer
    }

    deinit { curl_url_cleanup(pointer) }
}
