extension ManualPage {
    /// The long names of the options that a command shares with others and refuses in every call, by the name of its
    /// page. The page leaves them out.
    package static let refusedOptions: [String: Set<String>] = [
        "airframe-download": ["include", "json", "pretty", "upload-file"],
        "airframe-events": ["include", "output", "pretty", "retry-status", "upload-file"],
        "airframe-har-replay": [
            "auth", "aws-sigv4", "bearer", "cookie", "data", "data-raw", "fail", "form", "include", "json", "multipart",
            "netrc", "output", "pretty", "upload-file", "user",
        ],
        "airframe-trust": ["insecure", "retry-status"],
        "airframe-upload": ["data", "data-raw", "form", "multipart", "upload-file"],
        "airframe-ws": [
            "aws-sigv4", "data", "data-raw", "fail", "form", "include", "json", "multipart", "output", "pretty",
            "upload-file",
        ],
    ]
}
