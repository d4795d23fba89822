import AirframeOAuth

// A token that was stored, described without a session.
print(OAuthToken(accessToken: "1234", scope: "flights:read"))
