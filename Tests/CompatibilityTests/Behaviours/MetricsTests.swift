import AirframeCore
import AirframeReachability
import AirframeSerialization
import AirframeTestSupport
import Foundation
import Testing

@Suite("Metrics", .enabled(if: Peers.areExpected), .timeLimit(.minutes(1)))
struct NetworkCostTests {
    @Test("isExpensive and isConstrained are Reachability's state of the network", arguments: TestedEngine.allCases)
    func cost(engine: TestedEngine) async throws {
        let session = engine.session()
        let response = await session.request(try hangar("/get")).serializingData().response
        let transaction = try #require(response.metrics?.transactionMetrics.last)
        let path = try NetworkPathMonitor().currentPath()
        #expect(transaction.isExpensive == path.isExpensive)
        #expect(transaction.isConstrained == path.isConstrained)
    }
}
