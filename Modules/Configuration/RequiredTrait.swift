#if !Configuration
    #error("AirframeConfiguration needs the package trait Configuration: .package(url: …, traits: [\"Configuration\"])")
#endif
