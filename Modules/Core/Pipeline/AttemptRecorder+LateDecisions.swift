internal import AirframeLayers
internal import AirframeTransport
internal import HTTPTypes

// What the program sets after the start of a request, as long as it is not needed earlier. Alamofire reads these when
// URLSession calls its delegate.
extension AttemptRecorder: LateDecisions {
    var redirectDecision: RedirectDecision.Value {
        guard let template = task.originalRequest else { return nil }
        return request.redirectDecision(for: task, template: template, self)
    }

    var redirectRules: RedirectRules? { request.currentRedirectHandler?.redirectRules }

    var cacheDecision: CacheDecision.Value { request.cacheDecision(for: task) }
}

extension AttemptRecorder: LateCredential {
    var credential: HTTPCredential? {
        guard let credential = request.credential, let user = credential.user,
            var head = try? task.originalRequest?.head(), (try? request.adjust(&head)) != nil,
            let origin = Origin(head)
        else { return nil }
        return HTTPCredential(
            user: user, password: credential.password ?? "", origin: origin,
            isShared: credential.persistence != .none)
    }
}
