// Re-exports the modules, so that users of Airframe need one import.
@_exported public import AirframeAuthentication
@_exported public import AirframeCache
@_exported public import AirframeCompression
@_exported public import AirframeConnectivity
@_exported public import AirframeCookies
@_exported public import AirframeCore
@_exported public import AirframeEncoding
@_exported public import AirframeJSON
@_exported public import AirframeLayers
@_exported public import AirframeReachability
@_exported public import AirframeSecurity
@_exported public import AirframeSerialization
@_exported public import AirframeSocket
@_exported public import AirframeTransfers
@_exported public import AirframeTransport
@_exported public import AirframeWebSocket

#if Logging
    @_exported public import AirframeInspection
    @_exported public import AirframeLogging
#endif
