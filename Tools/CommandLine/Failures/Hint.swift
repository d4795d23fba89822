package import AirframeTransport

/// A hint on how to solve a failure, as one sentence.
package enum Hint {
    /// The hint for a failed exchange; `nil` if the error is sufficient.
    package static func text(for error: TransportError) -> String? {
        switch error.code {
        case .nameResolutionFailed: "check the host's name; --resolve HOST:PORT:ADDRESS names an address"
        case .connectFailed: "check that the server runs and that the port is right"
        case .networkUnreachable: "there is no network; --wait-for-connectivity waits for one"
        case .proxyFailed: "--proxy none goes without the proxy of the environment"
        case .bodyFailed: "check that the file exists, and that it can be read"
        case .timedOut: timeout(in: error.phase)
        case .tlsFailed: "the server may not speak TLS at this port, or only versions that are not allowed"
        case .trustRefused: "--cacert FILE trusts another root; `airframe trust HOST` shows the certificates"
        case .clientIdentityRefused: "--cert FILE and --key FILE name a client certificate"
        case .unsupportedOption: "--engine chooses another engine: sockets or curl"
        case .unsupportedScheme: "the URL must begin with http:// or https://"
        case .tooManyRedirects: "--max-redirects allows more; --no-location shows the first response"
        case .redirectRefused: "--no-location shows the response that redirects"
        case .malformedResponse: "the port may belong to another protocol"
        case .contentDecodingFailed: "--no-compressed asks for the content without a coding"
        default: nil
        }
    }

    private static func timeout(in phase: TransportPhase) -> String {
        switch phase {
        case .resolve, .connect: "--connect-timeout allows more time to connect"
        case .tls: "--tls-timeout allows more time for the handshake"
        case .responseHead: "--first-byte-timeout and --max-time allow the server more time"
        default: "--max-time allows more time for the whole"
        }
    }
}
