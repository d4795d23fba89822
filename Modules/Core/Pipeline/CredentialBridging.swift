internal import AirframeTransport
internal import Foundation
internal import HTTPTypes

extension Request {
    /// The credential that layers may answer challenges with: the request's own, or that of its URL.
    ///
    /// - Throws: ``TransportError/Code/unsupportedOption`` when the request has a credential of its own, and no layer of
    ///   the session's answers challenges.
    func layerCredential(for urlRequest: URLRequest, head: HTTPRequest) throws(TransportError) -> HTTPCredential? {
        guard let origin = Origin(head) else { return nil }
        let capabilities = context.transport.capabilities
        if let credential, let user = credential.user {
            guard !capabilities.authenticationSchemes.isEmpty else {
                throw TransportError(
                    .unsupportedOption,
                    phase: .options,
                    processing: .notSent,
                    message: """
                        the request has a credential, and no layer around the transport \(capabilities.engine) answers \
                        challenges: put an AuthenticationLayer around it
                        """,
                    origin: origin
                )
            }
            return HTTPCredential(
                user: user,
                password: credential.password ?? "",
                origin: origin,
                isShared: credential.persistence != .none
            )
        }
        // A URL's credential has become an `Authorization` in Basic, which servers may want otherwise.
        guard head.headerFields.contains(.authorization), !urlRequest.headerFields.contains(.authorization),
            !capabilities.authenticationSchemes.isEmpty, let url = urlRequest.url?.absoluteString,
            let information = RequestTarget(url)?.userInformation
        else { return nil }
        return HTTPCredential(user: information.user, password: information.password, origin: origin)
    }
}
