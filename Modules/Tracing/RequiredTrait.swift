#if !Tracing
    #error("AirframeTracing needs the package trait Tracing: .package(url: …, traits: [\"Tracing\"])")
#endif
