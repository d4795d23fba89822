internal import AirframeTransport
internal import AirframeWire
internal import CCurl

// Requests that wait for `100 Continue` (RFC 9110 §10.1.1).
//
// libcurl 7.88 can lose the end of their wait. If another timer of the transfer expires within the millisecond before,
// such as that of Happy Eyeballs, libcurl drops both timers and checks the wait too early. The content would then stay
// unsent until the server closes the connection. The loop therefore has libcurl check again.

extension Engine {
    /// Schedules a check for a request whose head is being sent and whose content waits for a response.
    func expectContinue(_ transfer: Transfer) {
        guard let wait = transfer.continueWait else { return }
        enterNudge(transfer, after: wait)
    }

    /// Has libcurl check a transfer that may still wait, and repeats this until some of its content has been sent.
    func nudge(_ transfer: Transfer) {
        guard let wait = transfer.continueWait, transfer.awaitsContinue else { return }
        if let link = transfer.link, links[link.descriptor] === link {
            transfer.context.socketIsReady(link.descriptor, mask: 0)
            collectEnded(transfer.context)
        }
        if transfer.awaitsContinue { enterNudge(transfer, after: wait) }
    }

    private func enterNudge(_ transfer: Transfer, after wait: Duration) {
        // After libcurl's own end of the wait, which it rounds to milliseconds. At least 10 ms, so that the loop does
        // not spin where there is no wait.
        let pause = max(wait.wholeNanoseconds, 10_000_000).addingReportingOverflow(2_000_000)
        let (due, isLate) = Monotonic.now.addingReportingOverflow(pause.partialValue)
        guard !pause.overflow, !isLate else { return }
        timers.insert(TimerQueue.Entry(due: due, exchange: transfer.id))
    }
}

extension Transfer {
    /// The time that the content waits for a response to the head; `nil` if it does not wait.
    var continueWait: Duration? {
        guard !plan.body.isEmpty else { return nil }
        if case .always(let wait) = plan.options.expectContinue { return wait }
        // libcurl's default, for a field of the caller's.
        return plan.expectsContinue ? .seconds(1) : nil
    }

    /// Whether no content has been sent and no response has started.
    fileprivate var awaitsContinue: Bool {
        stage == .send && parser.byteCount == 0 && easy.offset(CURLINFO_SIZE_UPLOAD_T) == 0
    }
}
