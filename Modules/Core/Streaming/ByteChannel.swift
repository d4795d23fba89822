internal import Foundation
internal import Synchronization

/// Hands the pieces of a body from the request that receives them to the one who reads them, one at a time.
///
/// The writer waits until its piece has been taken. It asks the server for no more meanwhile, which is what holds the
/// server back: at most one piece waits here, and one is on its way.
final class ByteChannel: Sendable {
    private struct State {
        var head = Head.awaited([])
        var body = Body.empty
    }

    private enum Head {
        case awaited([CheckedContinuation<Result<HTTPURLResponse, AFError>, Never>])
        case known(Result<HTTPURLResponse, AFError>)
    }

    private enum Body {
        /// No piece is here, and nobody waits for one.
        case empty
        /// A piece is here; its writer waits.
        case full(Data, writer: CheckedContinuation<Void, Never>)
        /// A reader waits for a piece.
        case awaited(CheckedContinuation<Result<Data?, AFError>, Never>)
        /// There will be no more pieces; why, if there should have been.
        case ended(AFError?)
        /// Nobody reads any more: pieces are dropped.
        case abandoned
    }

    // Guards the head and the piece on their way, and who waits for them.
    private let state = Mutex(State())

    // MARK: The writer

    /// Shows the head of the response to those who wait for it.
    func show(_ response: HTTPURLResponse) { settle(.success(response)) }

    /// Hands over a piece. Returns when it has been taken, when nobody reads any more, or when the task is cancelled.
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

    /// Says that there are no more pieces.
    func end(_ error: AFError?) {
        let reader = state.withLock { state -> CheckedContinuation<Result<Data?, AFError>, Never>? in
            switch state.body {
            case .awaited(let reader):
                // An error is told once.
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

    /// The head of the response, once it is there.
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

    /// The next piece, or `nil` at the end. One reader at a time: a second one that comes while the first waits gets the
    /// end.
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

    /// Says that nobody reads any more. Returns whether there was more to come.
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
