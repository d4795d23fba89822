internal import Foundation
internal import Synchronization

/// Passes the chunks of a body from the request to a reader, one at a time.
///
/// The writer waits until its chunk has been taken and pulls nothing meanwhile, so that backpressure reaches the
/// server: at most one chunk waits here, and one is on its way.
final class ByteChannel: Sendable {
    private struct ChannelState {
        var head = Head.awaited([])
        var body = Body.empty
    }

    private enum Head {
        case awaited([CheckedContinuation<Result<HTTPURLResponse, AFError>, Never>])
        case known(Result<HTTPURLResponse, AFError>)
    }

    private enum Body {
        /// There is no chunk, and no reader waits for one.
        case empty
        /// A chunk is ready; its writer waits.
        case full(Data, writer: CheckedContinuation<Void, Never>)
        /// A reader waits for a chunk.
        case awaited(CheckedContinuation<Result<Data?, AFError>, Never>)
        /// The body has ended, with an error if it is incomplete.
        case ended(AFError?)
        /// The reader has left: chunks are dropped.
        case abandoned
    }

    // Guards the head, the chunk, and the continuations that wait for them.
    private let state = Mutex(ChannelState())

    // MARK: The writer

    /// Passes the head of the response to its waiters.
    func show(_ response: HTTPURLResponse) { settle(.success(response)) }

    /// Passes on a chunk. Returns when it has been taken, the reader has left, or the task is cancelled.
    func put(_ piece: Data) async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { writer in
                let reader = state.withLock { state -> CheckedContinuation<Result<Data?, AFError>, Never>?? in
                    switch state.body {
                    case .awaited(let reader):
                        state.body = .empty
                        return reader
                    case .empty where !Task.isCancelled:
                        state.body = .full(piece, writer: writer)
                        return nil
                    case .empty, .full, .ended, .abandoned: return .some(nil)
                    }
                }
                guard let reader else { return }
                reader?.resume(returning: .success(piece))
                writer.resume()
            }
        } onCancel: {
            takePiece()?.writer.resume()
        }
    }

    /// Ends the body.
    func end(_ error: AFError?) {
        let reader = state.withLock { state -> CheckedContinuation<Result<Data?, AFError>, Never>? in
            switch state.body {
            case .awaited(let reader):
                // An error is reported once.
                state.body = .ended(nil)
                return reader
            case .empty, .full:
                state.body = .ended(error)
                return nil
            case .ended, .abandoned: return nil
            }
        }
        settle(.failure(error ?? .explicitlyCancelled))
        reader?.resume(returning: error.map(Result.failure) ?? .success(nil))
    }

    // MARK: The reader

    /// The head of the response. Waits until it has arrived.
    var response: HTTPURLResponse {
        get async throws(AFError) {
            try await withCheckedContinuation { continuation in
                let known = state.withLock { state -> Result<HTTPURLResponse, AFError>? in
                    switch state.head {
                    case .known(let result): return result
                    case .awaited(let readers):
                        state.head = .awaited(readers + [continuation])
                        return nil
                    }
                }
                if let known { continuation.resume(returning: known) }
            }.get()
        }
    }

    /// Returns the next chunk, or `nil` at the end. There is one reader at a time: a second one receives the end while
    /// the first waits.
    func next() async throws(AFError) -> Data? {
        if let piece = takePiece() {
            piece.writer.resume()
            return piece.data
        }
        return try await withCheckedContinuation { reader in
            typealias Answer = (Result<Data?, AFError>, CheckedContinuation<Void, Never>?)
            let answer = state.withLock { state -> Answer? in
                switch state.body {
                case .empty:
                    state.body = .awaited(reader)
                    return nil
                case .full(let piece, let writer):
                    state.body = .empty
                    return (.success(piece), writer)
                case .ended(let error):
                    state.body = .ended(nil)
                    return (error.map(Result.failure) ?? .success(nil), nil)
                case .awaited, .abandoned: return (.success(nil), nil)
                }
            }
            guard let (result, writer) = answer else { return }
            writer?.resume()
            reader.resume(returning: result)
        }.get()
    }

    /// Records that the reader has left. Returns whether the body had not ended.
    func abandon() -> Bool {
        let (hadMore, writer, reader) =
            state.withLock { state in
                defer { state.body = .abandoned }
                switch state.body {
                case .empty: return (true, nil, nil)
                case .full(_, let writer): return (true, writer, nil)
                case .awaited(let reader): return (true, nil, reader)
                case .ended, .abandoned: return (false, nil, nil)
                }
            } as (Bool, CheckedContinuation<Void, Never>?, CheckedContinuation<Result<Data?, AFError>, Never>?)
        writer?.resume()
        reader?.resume(returning: .success(nil))
        return hadMore
    }

    // MARK: Both

    private func takePiece() -> (data: Data, writer: CheckedContinuation<Void, Never>)? {
        state.withLock { state in
            guard case .full(let piece, let writer) = state.body else { return nil }
            state.body = .empty
            return (piece, writer)
        }
    }

    private func settle(_ result: Result<HTTPURLResponse, AFError>) {
        let readers = state.withLock { state -> [CheckedContinuation<Result<HTTPURLResponse, AFError>, Never>] in
            guard case .awaited(let readers) = state.head else { return [] }
            state.head = .known(result)
            return readers
        }
        for reader in readers { reader.resume(returning: result) }
    }
}
