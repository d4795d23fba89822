internal import AirframeTransport
internal import Foundation
internal import HTTPTypes

extension Request {
    /// Returns the credential with which layers answer challenges: the request's own, that of the session's storage, or
    /// that of the URL.
    ///
    /// - Throws: ``TransportError/Code/unsupportedOption`` if the request has a credential of its own and no layer of
    ///   the session answers challenges.
    func layerCredential(for urlRequest: URLRequest, head: SharedRequestHead) throws(TransportError) -> HTTPCredential?
    {
        if let credential, let user = credential.user, let origin = Origin(head.head) {
            guard context.answersChallenges else { throw unanswerable(origin) }
            return HTTPCredential(
                user: user,
                password: credential.password ?? "",
                origin: origin,
                isShared: credential.persistence != .none
            )
        }
        guard context.answersChallenges else { return nil }
        guard head.has(.authorization) else {
            guard let storage = context.credentialStorage, storage.mayHaveCredentials, let origin = Origin(head.head),
                let stored = storage.credential(for: origin), let user = stored.user
            else { return nil }
            return HTTPCredential(
                user: user, password: stored.password ?? "", origin: origin, isShared: stored.persistence != .none)
        }
        // The credential of a URL is sent as Basic `Authorization`; the server may demand another scheme.
        guard !urlRequest.headerFields.has(.authorization), let origin = Origin(head.head),
            let url = urlRequest.url?.absoluteString, let information = RequestTarget(url)?.userInformation
        else { return nil }
        return HTTPCredential(user: information.user, password: information.password, origin: origin)
    }

    private func unanswerable(_ origin: Origin) -> TransportError {
        TransportError(
            .unsupportedOption,
            phase: .options,
            processing: .notSent,
            message: """
                the request has a credential, and no layer around the transport \(context.transport.capabilities.engine) \
                answers challenges: put an AuthenticationLayer around it
                """,
            origin: origin
        )
    }
}
