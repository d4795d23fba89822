internal import AirframeTransport
internal import AirframeWire
internal import CCurl

/// The start and the end of transfers.
extension Engine {
    func start(_ exchange: Exchange) {
        exchange.plan.request.report(.started(exchange.plan.request.head), on: clock)
        do throws(TransportError) {
            guard !isShutDown else {
                throw exchange.plan.error(.transportShutDown, phase: .options, message: "the transport was shut down")
            }
            guard !exchange.isCancelled else {
                throw TransportError.cancelled(in: .options, processing: .notSent, origin: exchange.plan.origin)
            }
            let context = try contexts.context(for: exchange.plan.contextKey, engine: self)
            guard let easy = context.handles.take(for: exchange.plan.purpose) else { throw Self.outOfMemory }
            let transfer = try Transfer(exchange, context: context, easy: easy, engine: self)
            transfers[transfer.id] = transfer
            context.transferCount += 1
            add(transfer)
            if transfer.limits.isAny { arm(transfer, now: Monotonic.now) }
        } catch {
            refuse(exchange, error)
        }
    }

    /// Hands a transfer to libcurl.
    func add(_ transfer: Transfer) {
        transfer.easy.transfer = transfer
        let result = transfer.context.multi.add(transfer.easy)
        guard result != CURLM_OK else { return }
        let message = CurlLibrary.text(result)
        end(transfer) { .failure($0.plan.error(.engineFailure, phase: .options, message: message)) }
    }

    /// Starts a transfer over, after libcurl has closed the connection that it had chosen.
    private func beginAnew(_ transfer: Transfer) {
        transfer.isOnDeadConnection = false
        transfer.link = nil
        transfer.easy.forgetMessage()
        transfer.context.multi.remove(transfer.easy)
        transfer.prepareAgain()
        transfer.enter(.pool)
        add(transfer)
    }

    func refuse(_ exchange: Exchange, _ error: TransportError) {
        exchange.plan.request.report(.failed(error), on: clock)
        exchange.finish(.failed(error))
        if let caller = exchange.answer(.failure(error)) { wakeUp(.resume(caller)) }
    }

    func cancel(_ id: ExchangeID) {
        guard let transfer = transfers[id] else { return }
        end(transfer) {
            .failure(.cancelled(in: $0.stage.phase, processing: $0.processing, origin: $0.plan.origin))
        }
    }

    /// Ends the transfers of `context` that libcurl has finished.
    func collectEnded(_ context: Context) {
        while let (easy, result) = context.multi.nextEnded() {
            guard let transfer = Transfer.of(EasyHandle.owner(of: easy)), transfer.stage != .over else { continue }
            if transfer.awaitsNames {
                lookUpNames(of: transfer)
                continue
            }
            if transfer.isOnDeadConnection || transfer.repeatsRefused() {
                beginAnew(transfer)
                continue
            }
            if repeatOnce(transfer, after: result) { continue }
            end(transfer) { $0.outcome(of: result) }
        }
    }

    /// Removes a transfer from libcurl and ends it with the result of `outcome`.
    func end(_ transfer: Transfer, with outcome: (Transfer) -> Result<Void, TransportError>) {
        // Before the transfer is removed: afterwards the handle does not know its connection.
        let result = outcome(transfer)
        transfer.discardHeldBytes()
        transfer.context.multi.remove(transfer.easy)
        transfer.easy.transfer = nil
        transfers[transfer.id] = nil
        leaveNames(transfer)
        transfer.context.transferCount -= 1
        transfer.context.idleSince = Monotonic.now
        transfer.end(result)
        if case .success = result, transfer.mayKeepHandle {
            // A paused HTTP/2 stream leaves bytes in a handle, which a reset removes.
            let isClean = !transfer.mustReset && (!transfer.parser.rules.isHTTP2 || !transfer.wasPaused)
            if transfer.isListening { transfer.easy.set(CURLOPT_VERBOSE, false) }
            transfer.context.handles.give(transfer.easy, isClean: isClean)
        } else {
            transfer.easy.set(CURLOPT_SHARE, pointer: nil)
        }
        if transfers.isEmpty { timers.removeAll() }
    }

    // MARK: Limits

    /// Enters a transfer into the timer queue for the first of its limits.
    func arm(_ transfer: Transfer, now: Int64) {
        let stage = transfer.stage
        guard transfer.limits.isAny, stage != .over else { return }
        let due = transfer.limits.due(in: stage, transfer.idleWait, now: now)
        guard due < transfer.limits.armedFor else { return }
        transfer.limits.armedFor = due
        timers.insert(TimerQueue.Entry(due: due, exchange: transfer.id))
    }

    func checkLimits(of transfer: Transfer, now: Int64) {
        let excess = transfer.limits.exceeded(in: transfer.stage, transfer.idleWait, now: now)
        guard let excess else { return arm(transfer, now: now) }
        end(transfer) {
            .failure(
                TransportError(
                    .timedOut,
                    phase: excess.phase,
                    processing: $0.processing,
                    message: excess.message,
                    origin: $0.plan.origin
                )
            )
        }
    }
}
