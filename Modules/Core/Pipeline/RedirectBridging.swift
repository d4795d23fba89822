internal import AirframeLayers
internal import AirframeTransport
internal import Foundation
internal import HTTPTypes

extension Request {
    /// Returns the decision of the request's or the session's handler on redirects. `nil` if neither has one, so that
    /// every redirect is followed.
    func redirectDecision(for task: URLSessionTask, template: URLRequest) -> RedirectDecision.Value {
        guard let handler = redirectHandler ?? context.redirectHandler else { return nil }
        return { response, next in
            let proposed = template.redirected(to: next)
            let head = HTTPURLResponse(
                url: task.currentRequest?.url ?? template.url,
                head: response,
                httpVersion: nil
            )
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
                self.fail(with: error)
                return nil
            }
        }
    }
}
