import AirframeTransport
import Testing

@Suite("The first answer of a callback", .timeLimit(.minutes(1)))
struct FirstAnswerTests {
    @Test("an answer that is given before the callback returns counts, and later ones are dropped")
    func early() async throws {
        let answer = try await FirstAnswer<Int>.wait { answer in
            #expect(answer.isOpen)
            answer.give(.success(1))
            #expect(!answer.isOpen)
            answer.give(.success(2))
            answer.give(.failure(ForeignError(number: 3)))
        }
        #expect(answer == 1)
    }

    @Test("an answer that comes later resumes the task")
    func late() async throws {
        let answer = try await FirstAnswer<Int>.wait { answer in
            Task {
                try await Task.sleep(for: .milliseconds(5))
                answer.give(.success(1))
                answer.give(.success(2))
            }
        }
        #expect(answer == 1)
    }

    @Test("a failure is thrown")
    func failure() async {
        await #expect(throws: ForeignError(number: 7)) {
            try await FirstAnswer<Int>.wait { $0.give(.failure(ForeignError(number: 7))) }
        }
    }

    @Test("a cancelled task does not wait for an answer that never comes", arguments: [true, false])
    func cancellation(isCancelledFirst: Bool) async {
        let (started, start) = AsyncStream.makeStream(of: Void.self)
        let (cancelled, cancel) = AsyncStream.makeStream(of: Bool.self)
        let waiter = Task {
            if isCancelledFirst { withUnsafeCurrentTask { $0?.cancel() } }
            return try await FirstAnswer<Int>.wait { _ in
                start.yield()
            } onCancel: { answer in
                cancel.yield(answer.isOpen)
            }
        }
        for await _ in started { break }
        waiter.cancel()
        await #expect(throws: CancellationError.self) { try await waiter.value }
        for await isOpen in cancelled {
            #expect(!isOpen, "the cancellation is the first answer")
            break
        }
    }
}
