// Certificates, keys, policies and reports live where the engines can reach them too. To users they are this module's.
@_exported public import AirframeOpenSSL
