// The one file that depends on the platform.
#if canImport(Alamofire)
    @_exported import Alamofire
#else
    @_exported import Airframe
    @_exported import AirframeAppleNames
#endif
