import AirframeCore
import AirframeMock
import AirframeSerialization
import AirframeTestSupport
import AirframeTransport
import Foundation
import HTTPTypes
import Synchronization
import Testing

/// A credential of the model: the tokens are numbered.
struct Token: AuthenticationCredential, Sendable {
    let number: Int
    let requiresRefresh: Bool

    init(_ number: Int, requiresRefresh: Bool = false) {
        self.number = number
        self.requiresRefresh = requiresRefresh
    }
}

/// An authenticator whose refreshes the test ends.
final class HeldAuthenticator: Authenticator {
    typealias Completion = @Sendable (Result<Token, any Error>) -> Void

    struct Refresh: Sendable {
        let of: Token
        let completion: Completion
    }

    private let held = Mutex<[Refresh]>([])
    private let begun = Atomic<Int>(0)

    /// The refreshes under way.
    var refreshes: [Refresh] { held.withLock { $0 } }
    var refreshCount: Int { begun.load(ordering: .acquiring) }

    /// Ends the current refresh.
    func end(_ result: Result<Token, any Error>) {
        let refresh = held.withLock { $0.isEmpty ? nil : $0.removeFirst() }
        refresh?.completion(result)
    }

    func apply(_ credential: Token, to urlRequest: inout URLRequest) {
        urlRequest.headers.add(.authorization(bearerToken: "\(credential.number)"))
    }

    func refresh(_ credential: Token, for session: Session, completion: @escaping Completion) {
        begun.add(1, ordering: .acquiringAndReleasing)
        held.withLock { $0.append(Refresh(of: credential, completion: completion)) }
    }

    func didRequest(
        _ urlRequest: URLRequest,
        with response: HTTPURLResponse,
        failDueToAuthenticationError error: any Error
    ) -> Bool {
        response.statusCode == 401
    }

    func isRequest(_ urlRequest: URLRequest, authenticatedWith credential: Token) -> Bool {
        urlRequest.headers["Authorization"] == "Bearer \(credential.number)"
    }
}

struct RefreshRefused: Error, Equatable {
    let number: Int
}

/// A model of N requests, a server that accepts one token at a time and may revoke it, and refreshes that succeed or
/// fail, with steps in a random order.
private struct RefreshModel {
    private enum Stage {
        case idle
        case adapting
        case inFlight(token: Int)
        case retrying(token: Int)
        case done
        case failed(any Error)
    }

    private let session: Session
    /// The rejected requests by token.
    private let refused: [DataRequest]
    private let authenticator = HeldAuthenticator()
    private let interceptor: AuthenticationInterceptor<HeldAuthenticator>
    private let answers = Answers()
    private var stages: [Stage]
    private var valid = 0
    private var revocations = 0
    private var failures = 0
    private var refusals: Set<Int> = []
    private var generator: SeededGenerator

    /// The interceptor's answers by request.
    private final class Answers: Sendable {
        let adapted = Mutex<[(Int, Result<URLRequest, any Error>)]>([])
        let retried = Mutex<[(Int, RetryResult)]>([])
    }

    init(seed: UInt64, session: Session, refused: [DataRequest]) {
        self.session = session
        self.refused = refused
        generator = SeededGenerator(seed: seed)
        let count = Int.random(in: 1...8, using: &generator)
        stages = Array(repeating: .idle, count: count)
        let expired = Bool.random(using: &generator)
        interceptor = AuthenticationInterceptor(
            authenticator: authenticator,
            credential: Token(0, requiresRefresh: expired),
            refreshWindow: nil
        )
        if expired { valid = -1 }
    }

    /// Runs to the end. Returns the violated invariant, if there is one.
    mutating func run() -> String? {
        for _ in 0..<1_000 {
            let steps = openSteps()
            guard let step = steps.randomElement(using: &generator) else { break }
            take(step)
            if let objection = absorb() { return objection }
            if authenticator.refreshes.count > 1 { return "two concurrent refreshes" }
        }
        for (index, stage) in stages.enumerated() {
            switch stage {
            case .done: break
            case .failed(let error):
                guard error is RefreshRefused else { return "request \(index) failed with \(error)" }
            default: return "request \(index) never ended: \(stage)"
            }
        }
        let needed = revocations + 1 + failures
        if authenticator.refreshCount > needed {
            return "\(authenticator.refreshCount) refreshes, where \(needed) were enough"
        }
        return nil
    }

    private enum Step {
        case start(Int)
        case answer(Int)
        case endRefresh
        case revoke
    }

    private func openSteps() -> [Step] {
        var steps: [Step] = []
        for (index, stage) in stages.enumerated() {
            switch stage {
            case .idle: steps.append(.start(index))
            case .inFlight: steps.append(.answer(index))
            default: break
            }
        }
        if !authenticator.refreshes.isEmpty { steps.append(.endRefresh) }
        let isOver = steps.isEmpty
        if !isOver, revocations < 4 { steps.append(.revoke) }
        return steps
    }

    private mutating func take(_ step: Step) {
        switch step {
        case .start(let index): adapt(index)
        case .answer(let index):
            guard case .inFlight(let token) = stages[index] else { return }
            if token == valid {
                stages[index] = .done
            } else {
                refusals.insert(token)
                stages[index] = .retrying(token: token)
                interceptor.retry(refused[token], for: session, dueTo: URLError(.userAuthenticationRequired)) {
                    [answers] result in answers.retried.withLock { $0.append((index, result)) }
                }
            }
        case .endRefresh:
            if failures < 3, Int.random(in: 0..<4, using: &generator) == 0 {
                failures += 1
                authenticator.end(.failure(RefreshRefused(number: failures)))
            } else {
                let next = (authenticator.refreshes.first?.of.number ?? 0) + 1
                valid = next
                authenticator.end(.success(Token(next)))
            }
        case .revoke:
            revocations += 1
            valid = -1
        }
    }

    private mutating func adapt(_ index: Int) {
        stages[index] = .adapting
        interceptor.adapt(URLRequest(url: refused[0].lastRequest?.url ?? URL(filePath: "/")), for: session) {
            [answers] result in answers.adapted.withLock { $0.append((index, result)) }
        }
    }

    /// Collects the interceptor's answers.
    private mutating func absorb() -> String? {
        while true {
            let adapted = answers.adapted.withLock { answers in
                defer { answers = [] }
                return answers
            }
            let retried = answers.retried.withLock { answers in
                defer { answers = [] }
                return answers
            }
            if adapted.isEmpty, retried.isEmpty { return nil }
            for (index, result) in adapted {
                guard case .adapting = stages[index] else { return "request \(index) was adapted twice" }
                switch result {
                case .success(let request):
                    guard let value = request.headers["Authorization"], let token = Int(value.dropFirst(7)) else {
                        return "request \(index) has no token"
                    }
                    stages[index] = .inFlight(token: token)
                case .failure(let error): stages[index] = .failed(error)
                }
            }
            for (index, result) in retried {
                guard case .retrying(let token) = stages[index] else { return "request \(index) was retried twice" }
                switch result {
                case .retry:
                    if interceptor.credential?.number == token { return "request \(index) goes with the refused token" }
                    adapt(index)
                case .doNotRetryWithError(let error): stages[index] = .failed(error)
                default: return "request \(index) got \(result)"
                }
            }
        }
    }
}

@Suite("Model test of credential refreshes", .timeLimit(.minutes(5)))
struct RefreshModelTests {
    @Test("10,000 random interleavings of requests, rejections, refreshes and failures end as specified")
    func interleavings() async throws {
        let transport = ScriptedTransport(clock: StepClock()) { .status(401, to: $0) }
        let session = Session(transport: transport)
        var refused: [DataRequest] = []
        for token in 0..<24 {
            let request = session.request("http://api.test/", headers: [.authorization(bearerToken: "\(token)")])
            _ = await request.serializingData().response
            refused.append(request)
        }
        for seed in 0..<10_000 {
            var model = RefreshModel(seed: UInt64(seed), session: session, refused: refused)
            let objection = model.run()
            #expect(objection == nil, "seed \(seed)")
            if objection != nil { return }
        }
    }
}
