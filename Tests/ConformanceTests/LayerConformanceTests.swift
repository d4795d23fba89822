import AirframeAuthentication
import AirframeCompression
import AirframeConformance
import AirframeCurl
import AirframeLayers
import ConformanceEngines
import Testing

@Suite("Layers over AirframeCurl conform", .serialized, .timeLimit(.minutes(5)))
struct LayerConformanceTests {
    @Test("to each case", arguments: ConformanceSuite.layerCases)
    func conforms(to conformanceCase: ConformanceCase) async {
        await ConformanceSuite.expect(
            conformanceCase,
            over: { RedirectLayer(AuthenticationLayer(ContentDecodingLayer(CurlTransport()))) },
            exclusions: LayerExclusions.all
        )
    }
}
