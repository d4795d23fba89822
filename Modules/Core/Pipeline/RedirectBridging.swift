internal import AirframeLayers
internal import AirframeTransport
internal import Foundation
internal import HTTPTypes

extension Request {
    /// The request's redirect handler, or else the session's.
    var currentRedirectHandler: (any RedirectHandler)? { redirectHandler ?? context.redirectHandler }

    /// Returns the decision on redirects, which reports each redirect to monitors and then calls the request's or the
    /// session's handler. `nil` if there are neither monitors nor a handler, so that every redirect is followed.
    func redirectDecision(
        for task: URLSessionTask,
        template: URLRequest,
        _ recorder: AttemptRecorder
    ) -> RedirectDecision.Value {
        guard currentRedirectHandler != nil || recorder.observesTasks else { return nil }
        return { response, next in
            let url = task.currentRequest?.url ?? template.url
            let proposed = RedirectTrace(of: response, from: url, to: next).request(from: template)
            let head = HTTPURLResponse(url: url, head: response, httpVersion: nil)
            recorder.didReceiveRedirect(head, to: proposed)
            // Read now: the request may have got its handler after its start.
            guard let handler = self.currentRedirectHandler else { return RedirectedRequest(next) }
            let answer = try? await FirstAnswer<URLRequest?>.wait { answer in
                handler.task(task, willBeRedirectedTo: proposed, for: head) { answer.give(.success($0)) }
            }
            guard let chosen = answer ?? nil else { return nil }
            if chosen == proposed { return RedirectedRequest(next) }
            do throws(AFError) {
                let hasOwnBody =
                    chosen.httpBody != proposed.httpBody || chosen.httpBodyStream !== proposed.httpBodyStream
                return RedirectedRequest(
                    try chosen.head(),
                    body: hasOwnBody ? RequestBody.forHTTPBody(of: chosen) : nil
                )
            } catch {
                // The handler's request is invalid, which must not be mistaken for a refusal to follow.
                self.fail(task, with: error)
                return nil
            }
        }
    }
}
