#if !Logging
    #error("AirframeLogging needs the package trait Logging: .package(url: …, traits: [\"Logging\"])")
#endif
