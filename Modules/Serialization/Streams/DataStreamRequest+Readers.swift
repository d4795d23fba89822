internal import AirframeCore
internal import Dispatch
internal import Foundation

/// What makes values of the pieces of a stream.
struct StreamParser<Success: Sendable, Failure: Error>: Sendable {
    /// The value of a piece, or `nil` when the piece alone makes none.
    let parse: @Sendable (DataStreamRequest, Data) async -> Result<Success, Failure>?
    /// The value of what is left at the end, if anything is.
    var finish: @Sendable () -> Result<Success, Failure>? = { nil }
}

extension StreamParser where Success == Data, Failure == Never {
    static var passthrough: Self { Self { _, data in .success(data) } }
}

extension StreamParser where Success == String, Failure == Never {
    static var strings: Self {
        let assembler = UTF8Assembler()
        return Self { request, data in
            guard let text = assembler.text(of: data) else { return nil }
            let result = Result<String, AFError>.success(text)
            request.notify { $0.request(request, didParseStream: result) }
            return .success(text)
        } finish: {
            assembler.rest().map(Result.success)
        }
    }
}

extension StreamParser where Failure == AFError {
    static func values<Serializer: DataStreamSerializer>(of serializer: Serializer) -> Self
    where Serializer.SerializedObject == Success {
        Self { request, data in
            let result = await request.serialized { try serializer.serialize(data) }.result
            request.notify { $0.request(request, didParseStream: result) }
            if case .failure = result, request.automaticallyCancelOnStreamError { request.cancel() }
            return result
        }
    }
}

extension DataStreamRequest {
    /// Adds a reader. The server is asked for the next piece when `deliver` has returned.
    ///
    /// - Parameters:
    ///   - parser: Makes the values.
    ///   - start: Where the request begins to run if this starts it.
    ///   - deliver: Gets each value.
    ///   - complete: Gets what is left at the end and how the stream ended, once.
    func read<Success: Sendable, Failure: Error>(
        _ parser: StreamParser<Success, Failure>,
        _ start: PipelineStart,
        deliver: @escaping @Sendable (Stream<Success, Failure>) async -> Void,
        complete: @escaping @Sendable ([Stream<Success, Failure>]) -> Void
    ) {
        // Unowned, and no cycle: the request holds the closure, and is there when it calls it.
        appendTaker { [unowned self] data in
            guard let result = await parser.parse(self, data) else { return }
            await deliver(Stream(event: .stream(result), token: cancellationToken))
        }
        append(
            ResponseStep { [self] in
                let finish = { @Sendable [self] () -> ResponseStep.Outcome in
                    let token = cancellationToken
                    let end = Stream<Success, Failure>(event: .complete(completion), token: token)
                    let rest = parser.finish().map { Stream(event: .stream($0), token: token) }
                    return .deliver { complete((rest.map { [$0] } ?? []) + [end]) }
                }
                guard hasMissed else { return .over(finish()) }
                return .rest { [self] in
                    await deliverMissed()
                    return finish()
                }
            },
            start
        )
    }

    /// Adds a reader that is called on a queue. What it throws ends the request, and is its error.
    func read<Success: Sendable, Failure: Error>(
        _ parser: StreamParser<Success, Failure>,
        on queue: DispatchQueue,
        _ handler: @escaping Handler<Success, Failure>
    ) {
        read(parser, .detached) { [unowned self] piece in
            await withCheckedContinuation { continuation in
                queue.async { [self] in
                    do {
                        try handler(piece)
                    } catch {
                        let failure = AFError.ResponseSerializationFailureReason.customSerializationFailed(error: error)
                        cancel(with: error.asAFError(or: .responseSerializationFailed(reason: failure)))
                    }
                    continuation.resume()
                }
            }
        } complete: { pieces in
            // What is thrown now comes too late to be the request's error.
            queue.async { for piece in pieces { try? handler(piece) } }
        }
    }
}
