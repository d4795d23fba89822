#if !Metrics
    #error("AirframeMetrics needs the package trait Metrics: .package(url: …, traits: [\"Metrics\"])")
#endif
