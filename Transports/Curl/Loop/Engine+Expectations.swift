internal import AirframeTransport
internal import AirframeWire
internal import CCurl

// Requests that wait for `100 Continue` (RFC 9110 §10.1.1).
//
// libcurl 7.88 can lose the end of their wait: when another of a transfer's timers runs out within the millisecond
// before, such as that of Happy Eyeballs, which takes 200 ms as many waits do, it drops both and looks at the wait too
// early. The content would then stay unsent until the server gives up. So the loop looks itself.

extension Engine {
    /// Notes that the head of a request is on its way out, whose content is to wait for an answer.
    func expectContinue(_ transfer: Transfer) {
        guard let wait = transfer.continueWait else { return }
        enterNudge(transfer, after: wait)
    }

    /// Has libcurl look at a transfer that may still wait, and looks again until some of its content was sent.
    func nudge(_ transfer: Transfer) {
        guard let wait = transfer.continueWait, transfer.awaitsContinue else { return }
        if let link = transfer.link, links[link.descriptor] === link {
            transfer.context.socketIsReady(link.descriptor, mask: 0)
            collectEnded(transfer.context)
        }
        if transfer.awaitsContinue { enterNudge(transfer, after: wait) }
    }

    private func enterNudge(_ transfer: Transfer, after wait: Duration) {
        // Behind libcurl's own end of the wait, which counts whole milliseconds, and not in a busy loop where there is
        // none.
        let pause = max(wait.wholeNanoseconds, 10_000_000).addingReportingOverflow(2_000_000)
        let (due, isLate) = Monotonic.now.addingReportingOverflow(pause.partialValue)
        guard !pause.overflow, !isLate else { return }
        timers.insert(TimerQueue.Entry(due: due, exchange: transfer.id))
    }
}

extension Transfer {
    /// How long the content waits for an answer to the head; `nil` when it does not.
    var continueWait: Duration? {
        guard case .always(let wait) = plan.options.expectContinue, !plan.body.isNone else { return nil }
        return wait
    }

    /// Whether nothing of the content was sent yet, and no response has begun.
    fileprivate var awaitsContinue: Bool { stage == .send && easy.offset(CURLINFO_SIZE_UPLOAD_T) == 0 }
}
