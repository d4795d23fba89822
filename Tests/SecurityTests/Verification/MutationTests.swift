import AirframeCore
import AirframeSecurity
import AirframeTransport
import Foundation
import Testing

@Suite("Mutations of a valid chain", .timeLimit(.minutes(10)))
struct MutationTests {
    /// Numbers that follow from a seed: a failure can be run again.
    private struct Generator: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state ^ state >> 29
        }
    }

    @Test("10,000 mutations are refused")
    func refused() async throws {
        let pki = try PKI.made()
        let judge = Judge(chain: try pki.chain("valid").map(\.der), policy: try pki.policy)
        let whole = judge.report(judge.chain)
        let leaf = try #require(whole.chain.first)
        #expect(whole.isTrusted && whole.authenticated.contains(leaf))
        // Four strands, for all the processors that there are.
        let accepted = try await withThrowingTaskGroup(of: [String].self) { group in
            for seed in UInt64(1)...4 { group.addTask { judge.accepted(seed: seed, count: 2500, leaf) } }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        #expect(accepted.isEmpty)
    }

    private struct Judge: Sendable {
        let chain: [DER]
        let policy: ChainPolicy

        func report(_ chain: [DER]) -> TrustReport {
            ServerTrust(chain: chain, host: "localhost").report(policy: policy)
        }

        func accepted(seed: UInt64, count: Int, _ leaf: Certificate) -> [String] {
            var generator = Generator(state: seed)
            var accepted: [String] = []
            for number in 0..<count {
                var mutated = chain
                // The intermediate is as good as the leaf: without it the chain leads nowhere.
                let place = Int.random(in: 0..<2, using: &generator)
                mutated[place] = DER(MutationTests.mutate(chain[place].bytes, &generator))
                guard mutated != chain else { continue }
                let found = report(mutated)
                if found.isTrusted { accepted.append("\(number) of seed \(seed) by its chain") }
                // Pins are compared with this chain, even if nothing else is checked.
                if place == 0, found.authenticated.contains(leaf) {
                    accepted.append("\(number) of seed \(seed) by its pin")
                }
            }
            return accepted
        }
    }

    private static func mutate(_ bytes: [UInt8], _ generator: inout Generator) -> [UInt8] {
        var bytes = bytes
        let place = Int.random(in: 0..<bytes.count, using: &generator)
        switch Int.random(in: 0..<6, using: &generator) {
        case 0: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
        case 1: bytes[place] = UInt8.random(in: 0...255, using: &generator)
        case 2: bytes.remove(at: place)
        case 3: bytes.insert(UInt8.random(in: 0...255, using: &generator), at: place)
        case 4: bytes.removeLast(bytes.count - place)
        default:
            let other = Int.random(in: 0..<bytes.count, using: &generator)
            bytes.swapAt(place, other)
        }
        return bytes
    }
}
