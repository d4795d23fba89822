#if !Logging
    #error("AirframeInspection needs the package trait Logging: .package(url: …, traits: [\"Logging\"])")
#endif
