// Users of AirframeTransport name redaction policies without their own import.
@_exported public import AirframeRedaction
