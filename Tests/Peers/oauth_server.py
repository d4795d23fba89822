"""An authorization server by Authlib, with its own resource, all in the clear.

Clients: `confidential` with the secret `s3:cret`, and `public`, which has none. Users approve immediately; one who is
asked for the scope `deny` refuses. `/approve?user_code=…&after=N` approves a device after N polls. Access tokens live
an hour, and those of the scope `brief` a second. `/revoke-all` makes all access tokens invalid. `/resource` takes
bearer tokens.

With a proof of possession (RFC 9449) tokens are bound to its key; proofs are verified by joserfc. The server and the
resource want a nonce in each proof, and a new one after `/rotate-nonce`. `/plain/…` serves metadata of another issuer.
"""

import base64
import hashlib
import json
import os
import secrets
import sys
import time

os.environ["AUTHLIB_INSECURE_TRANSPORT"] = "1"

from authlib.integrations.flask_oauth2 import AuthorizationServer  # noqa: E402
from authlib.oauth2.rfc6749 import grants  # noqa: E402
from authlib.oauth2.rfc6749.models import AuthorizationCodeMixin, ClientMixin, TokenMixin  # noqa: E402
from authlib.oauth2.rfc7636 import CodeChallenge  # noqa: E402
from authlib.oauth2.rfc8628 import DEVICE_CODE_GRANT_TYPE  # noqa: E402
from authlib.oauth2.rfc8628 import DeviceAuthorizationEndpoint as DeviceEndpoint  # noqa: E402
from authlib.oauth2.rfc8628 import DeviceCodeGrant as DeviceGrant  # noqa: E402
from authlib.oauth2.rfc8628 import DeviceCredentialDict  # noqa: E402
from flask import Flask, Response, jsonify, request  # noqa: E402
from joserfc import jws  # noqa: E402
from joserfc.jwk import ECKey  # noqa: E402
from werkzeug.serving import make_server  # noqa: E402


class Record(dict):
    def __getattr__(self, name):
        return self.get(name)


class Client(Record, ClientMixin):
    def get_client_id(self):
        return self["id"]

    def get_default_redirect_uri(self):
        return None

    def get_allowed_scope(self, scope):
        # Authlib takes None for a scope that is refused.
        return scope or ""

    def check_redirect_uri(self, redirect_uri):
        return redirect_uri.startswith("http://127.0.0.1:")

    def check_client_secret(self, client_secret):
        return client_secret == self["secret"]

    def check_endpoint_auth_method(self, method, endpoint):
        return method in (("client_secret_basic", "client_secret_post") if self["secret"] else ("none",))

    def check_response_type(self, response_type):
        return response_type == "code"

    def check_grant_type(self, grant_type):
        return grant_type != "client_credentials" or bool(self["secret"])


class Code(Record, AuthorizationCodeMixin):
    def get_redirect_uri(self):
        return self["redirect_uri"]

    def get_scope(self):
        return self["scope"]


class Token(Record, TokenMixin):
    def check_client(self, client):
        return self["client"] == client.get_client_id()

    def get_scope(self):
        return self["scope"]

    def get_expires_in(self):
        return self["expires_in"]

    def is_expired(self):
        return self["issued"] + self["expires_in"] <= time.time()

    def is_revoked(self):
        return self["revoked"]


class User(str):
    def get_user_id(self):
        return str(self)


CLIENTS = {
    "confidential": Client(id="confidential", secret="s3:cret"),
    "public": Client(id="public", secret=None),
}
CODES, TOKENS, REFRESH, DEVICES, PROOFS = {}, {}, {}, {}, set()
NONCE = [secrets.token_urlsafe(8)]

app = Flask("oauth")
app.config["OAUTH2_REFRESH_TOKEN_GENERATOR"] = True


def save_token(token, oauth_request):
    # Authlib's lifetime is that of the grant; a token of the scope "brief" is refused after a second.
    lifetime = 1 if "brief" in (token.get("scope") or "").split() else 3600
    token["expires_in"] = lifetime
    record = Token(token, client=oauth_request.client.get_client_id(), issued=time.time(), revoked=False, jkt=None)
    record["user"] = oauth_request.user
    TOKENS[token["access_token"]] = record
    if "refresh_token" in token:
        REFRESH[token["refresh_token"]] = record


server = AuthorizationServer(app, CLIENTS.get, save_token)
METHODS = ["none", "client_secret_basic", "client_secret_post"]


class CodeGrant(grants.AuthorizationCodeGrant):
    TOKEN_ENDPOINT_AUTH_METHODS = METHODS

    def save_authorization_code(self, code, oauth_request):
        data = oauth_request.payload.data
        CODES[code] = Code(
            code=code, client=oauth_request.client.get_client_id(), redirect_uri=data.get("redirect_uri"),
            scope=oauth_request.payload.scope, user=oauth_request.user, code_challenge=data.get("code_challenge"),
            code_challenge_method=data.get("code_challenge_method"), dpop_jkt=data.get("dpop_jkt"),
        )

    def query_authorization_code(self, code, client):
        found = CODES.get(code)
        return found if found and found["client"] == client.get_client_id() else None

    def delete_authorization_code(self, authorization_code):
        CODES.pop(authorization_code["code"], None)

    def authenticate_user(self, authorization_code):
        return authorization_code["user"]


class RefreshGrant(grants.RefreshTokenGrant):
    TOKEN_ENDPOINT_AUTH_METHODS = METHODS
    INCLUDE_NEW_REFRESH_TOKEN = True

    def authenticate_refresh_token(self, refresh_token):
        return REFRESH.get(refresh_token)

    def authenticate_user(self, refresh_token):
        return refresh_token["user"]

    def revoke_old_credential(self, refresh_token):
        refresh_token["revoked"] = True
        REFRESH.pop(refresh_token["refresh_token"], None)


class DeviceCodeGrant(DeviceGrant):
    TOKEN_ENDPOINT_AUTH_METHODS = METHODS

    def query_device_credential(self, device_code):
        return DEVICES.get(device_code)

    def query_user_grant(self, user_code):
        device = next(device for device in DEVICES.values() if device["user_code"] == user_code)
        if device.get("approved") is None:
            return None
        device["approved"] -= 1
        return (User("airframe"), device["allowed"]) if device["approved"] < 0 else None

    def should_slow_down(self, credential):
        return False


class DeviceAuthorizationEndpoint(DeviceEndpoint):
    CLIENT_AUTH_METHODS = METHODS
    # The tests do not wait for real time.
    INTERVAL = 0

    def get_verification_uri(self):
        return request.host_url + "device"

    def save_device_credential(self, client_id, scope, data):
        DEVICES[data["device_code"]] = DeviceCredentialDict(
            data, client_id=client_id, scope=scope, expires_at=time.time() + data["expires_in"])


server.register_grant(grants.ClientCredentialsGrant)
grants.ClientCredentialsGrant.TOKEN_ENDPOINT_AUTH_METHODS = METHODS
server.register_grant(CodeGrant, [CodeChallenge(required=True)])
server.register_grant(RefreshGrant)
server.register_grant(DeviceCodeGrant)
server.register_endpoint(DeviceAuthorizationEndpoint)
assert DEVICE_CODE_GRANT_TYPE == "urn:ietf:params:oauth:grant-type:device_code"


class Refusal(Exception):
    """A proof is not accepted, for this reason."""


def encoded(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def proven(token=None):
    """Returns the thumbprint of the key of the request's proof (RFC 9449 §4.3); None without a proof."""
    proofs = request.headers.getlist("DPoP")
    if not proofs:
        return None
    if len(proofs) > 1:
        raise Refusal("several proofs")
    head = json.loads(base64.urlsafe_b64decode(proofs[0].split(".")[0] + "=="))
    if head.get("typ") != "dpop+jwt" or head.get("alg") != "ES256" or "d" in head["jwk"]:
        raise Refusal("header")
    key = ECKey.import_key(head["jwk"])
    claims = json.loads(jws.deserialize_compact(proofs[0], key, algorithms=["ES256"]).payload)
    if claims["htm"] != request.method or claims["htu"] != request.base_url:
        raise Refusal("htm or htu")
    if abs(claims["iat"] - time.time()) > 60:
        raise Refusal("iat")
    if claims["jti"] in PROOFS:
        raise Refusal("jti")
    PROOFS.add(claims["jti"])
    if token is not None and claims.get("ath") != encoded(hashlib.sha256(token.encode()).digest()):
        raise Refusal("ath")
    if claims.get("nonce") != NONCE[0]:
        raise Refusal("nonce")
    return key.thumbprint()


@app.get("/.well-known/oauth-authorization-server")
def metadata():
    return jsonify(described(request.host_url.rstrip("/")))


@app.get("/.well-known/oauth-authorization-server/foreign")
def foreign_metadata():
    return jsonify(described("https://attacker.test"))


@app.get("/openid/.well-known/openid-configuration")
def openid_metadata():
    return jsonify(described(request.host_url + "openid"))


def described(issuer):
    base = request.host_url
    return {
        "issuer": issuer,
        "authorization_endpoint": base + "authorize",
        "token_endpoint": base + "token",
        "device_authorization_endpoint": base + "device_authorization",
        "response_types_supported": ["code"],
        "code_challenge_methods_supported": ["S256"],
        "dpop_signing_alg_values_supported": ["ES256"],
    }


@app.get("/authorize")
def authorize():
    allowed = "deny" not in request.args.get("scope", "").split()
    return server.create_authorization_response(grant_user=User("airframe") if allowed else None)


@app.post("/token")
def token():
    try:
        thumbprint = proven()
    except Refusal as refusal:
        code = "use_dpop_nonce" if str(refusal) == "nonce" else "invalid_dpop_proof"
        answer = jsonify(error=code, error_description=str(refusal))
        answer.status_code = 400
        answer.headers["DPoP-Nonce"] = NONCE[0]
        return answer
    bound = CODES.get(request.form.get("code", ""), {}).get("dpop_jkt")
    if bound and bound != thumbprint:
        return jsonify(error="invalid_grant", error_description="the code is bound to another key"), 400
    answer = server.create_token_response()
    if thumbprint and answer.status_code == 200:
        data = answer.get_json(force=True)
        TOKENS[data["access_token"]]["jkt"] = thumbprint
        data["token_type"] = "DPoP"
        answer.set_data(json.dumps(data))
    return answer


@app.post("/device_authorization")
def device_authorization():
    return server.create_endpoint_response(DeviceAuthorizationEndpoint.ENDPOINT_NAME)


@app.post("/approve")
def approve():
    device = next(device for device in DEVICES.values() if device["user_code"] == request.args["user_code"])
    device["approved"] = int(request.args.get("after", 0))
    device["allowed"] = "deny" not in request.args
    return ""


@app.post("/revoke-all")
def revoke_all():
    for record in TOKENS.values():
        record["revoked"] = True
    return ""


@app.post("/rotate-nonce")
def rotate_nonce():
    NONCE[0] = secrets.token_urlsafe(8)
    return ""


@app.route("/resource", methods=["GET", "POST"])
def resource():
    scheme, _, text = request.headers.get("Authorization", "").partition(" ")
    record = TOKENS.get(text)
    if record is None or record.is_expired() or record.is_revoked():
        return refused(scheme or "Bearer", "invalid_token")
    if record["jkt"] is None and scheme == "Bearer":
        return jsonify(client=record["client"], scope=record["scope"], body=request.get_data(as_text=True))
    try:
        if scheme != "DPoP" or proven(text) != record["jkt"]:
            return refused("DPoP", "invalid_token")
    except Refusal as refusal:
        return refused("DPoP", "use_dpop_nonce" if str(refusal) == "nonce" else "invalid_dpop_proof")
    return jsonify(client=record["client"], scope=record["scope"], body=request.get_data(as_text=True))


def refused(scheme, code):
    headers = {"WWW-Authenticate": f'{scheme} error="{code}"'}
    if code == "use_dpop_nonce":
        headers["DPoP-Nonce"] = NONCE[0]
    return Response("", 401, headers)


listener = make_server("127.0.0.1", 0, app, threaded=True)
print(json.dumps({"oauth": listener.server_port}), flush=True)
sys.stdout.flush()
listener.serve_forever()
