// Users of AirframeTransport name redaction policies without an import of their own.
@_exported public import AirframeRedaction
