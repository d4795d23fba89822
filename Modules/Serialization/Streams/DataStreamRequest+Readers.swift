internal import AirframeCore
internal import Dispatch
internal import Foundation

/// A parser of the chunks of a stream.
struct StreamParser<Success: Sendable, Failure: Error>: Sendable {
    /// Returns the value of a chunk, or `nil` if the chunk completes none.
    let parse: @Sendable (DataStreamRequest, Data) async -> Result<Success, Failure>?
    /// Returns the value of the remainder at the end, if there is one.
    var finish: @Sendable () -> Result<Success, Failure>? = { nil }
    /// Discards the remainder, which an attempt that is retried has left.
    var reset: (@Sendable () -> Void)?
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
        } reset: {
            assembler.reset()
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
    /// Adds a reader. The next chunk is requested from the server after `deliver` has returned.
    ///
    /// - Parameters:
    ///   - parser: The parser that makes the values.
    ///   - start: The place where the request runs if this handler starts it.
    ///   - deliver: A closure that receives each value.
    ///   - complete: A closure that receives the remainder and the completion of the stream, once.
    func read<Success: Sendable, Failure: Error>(
        _ parser: StreamParser<Success, Failure>,
        _ start: PipelineStart,
        deliver: @escaping @Sendable (Stream<Success, Failure>) async -> Void,
        complete: @escaping @Sendable ([Stream<Success, Failure>]) -> Void
    ) {
        // Unowned to avoid a cycle: the request owns the closure and is alive when it calls it.
        let take: @Sendable (Data) async -> Void = { [unowned self] data in
            guard let result = await parser.parse(self, data) else { return }
            await deliver(Stream(event: .stream(result), token: cancellationToken))
        }
        let taker = appendTaker(take, reset: parser.reset)
        append(
            ResponseStep { [self] in
                let finish = { @Sendable [self] () -> ResponseStep.StepResult in
                    let token = cancellationToken
                    let end = Stream<Success, Failure>(event: .complete(completion), token: token)
                    let rest = parser.finish().map { Stream(event: .stream($0), token: token) }
                    return .deliver { [self] in
                        removeTaker(taker)
                        complete((rest.map { [$0] } ?? []) + [end])
                    }
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

    /// Adds a reader that is called on a queue. An error that it throws fails the request.
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
        } complete: { [self] pieces in
            // The request has ended: an error that is thrown now cannot fail it.
            deliver(on: queue) { for piece in pieces { try? handler(piece) } }
        }
    }
}
