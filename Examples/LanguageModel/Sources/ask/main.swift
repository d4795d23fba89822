import Airframe
import AirframeMock
import Foundation

// ask QUESTION: prints a model's answer while it is generated. MODEL_URL and MODEL_KEY name a service that streams chat
// completions as server-sent events; without them, a mock answers.
let question = CommandLine.arguments.dropFirst().joined(separator: " ")
guard !question.isEmpty else {
    print("usage: ask QUESTION")
    exit(64)
}
let environment = ProcessInfo.processInfo.environment
let service = environment["MODEL_URL"]

/// What the service is asked.
struct Prompt: Encodable, Sendable {
    struct Message: Encodable, Sendable {
        let role: String
        let content: String
    }

    let model: String
    let stream = true
    let messages: [Message]
}

/// A piece of the answer: the content of one event.
struct Piece: Decodable, Sendable {
    struct Choice: Decodable, Sendable {
        struct Delta: Decodable, Sendable {
            let content: String?
        }

        let delta: Delta
    }

    let choices: [Choice]

    var text: String { choices.compactMap(\.delta.content).joined() }
}

/// Streams the pieces of an answer. The stream ends with the event `[DONE]`.
func answer(to question: String, session: Session) async throws {
    let prompt = Prompt(
        model: environment["MODEL_NAME"] ?? "default", messages: [Prompt.Message(role: "user", content: question)])
    let url = URL(string: service ?? "https://model.test/v1/chat/completions")
    guard let url else { throw URLError(.badURL) }
    var request = try URLRequest(url: url, method: .post)
    request.headers = [.authorization(bearerToken: environment["MODEL_KEY"] ?? "none"), .accept("text/event-stream")]
    request = try JSONParameterEncoder.default.encode(prompt, into: request)
    // An answer is generated once: a request that is sent again would be charged again.
    let source = session.eventSource(request, reconnection: .init(limit: 0))
    let decoder = JSONDecoder()
    for try await event in source {
        guard event.data != "[DONE]" else { return }
        let piece = try decoder.decode(Piece.self, from: Data(event.data.utf8))
        FileHandle.standardOutput.write(Data(piece.text.utf8))
    }
}

/// A service in memory that answers word by word, 50 ms apart.
func mockService() -> MockTransport {
    MockTransport {
        Route(.post, "/v1/chat/completions").reply(
            .stream(contentType: "text/event-stream") {
                AsyncStream { continuation in
                    Task {
                        for word in ["A ", "wing ", "bends ", "air ", "downwards", "."] {
                            let piece = #"{"choices":[{"delta":{"content":"\#(word)"}}]}"#
                            continuation.yield(Data("data: \(piece)\n\n".utf8))
                            try? await Task.sleep(for: .milliseconds(50))
                        }
                        continuation.yield(Data("data: [DONE]\n\n".utf8))
                        continuation.finish()
                    }
                }
            })
    }
}

do {
    try await answer(to: question, session: service == nil ? Session(transport: mockService()) : Session())
    print()
} catch {
    print("\nno answer: \(error)")
    exit(1)
}
