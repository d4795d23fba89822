// OpenSSL for Swift: what its headers define as macros, as inline functions. No logic lives here.
#ifndef AIRFRAME_COPENSSL_H
#define AIRFRAME_COPENSSL_H

#include <openssl/ct.h>
#include <openssl/err.h>
#include <openssl/ocsp.h>
#include <openssl/pem.h>
#include <openssl/pkcs12.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

#define AIRFRAME_OPENSSL_INLINE static inline __attribute__((always_inline))

AIRFRAME_OPENSSL_INLINE long airframe_ctx_set_minimum_version(SSL_CTX *context, int version) {
    return SSL_CTX_set_min_proto_version(context, version);
}
AIRFRAME_OPENSSL_INLINE long airframe_ctx_set_maximum_version(SSL_CTX *context, int version) {
    return SSL_CTX_set_max_proto_version(context, version);
}
AIRFRAME_OPENSSL_INLINE long airframe_ctx_set_groups(SSL_CTX *context, const char *list) {
    return SSL_CTX_set1_groups_list(context, list);
}
AIRFRAME_OPENSSL_INLINE long airframe_ctx_request_stapled_ocsp(SSL_CTX *context) {
    return SSL_CTX_set_tlsext_status_type(context, TLSEXT_STATUSTYPE_ocsp);
}
AIRFRAME_OPENSSL_INLINE long airframe_ssl_stapled_ocsp(SSL *ssl, const unsigned char **response) {
    return SSL_get_tlsext_status_ocsp_resp(ssl, response);
}
AIRFRAME_OPENSSL_INLINE int airframe_ssl_retry_verify(SSL *ssl) { return SSL_set_retry_verify(ssl); }
AIRFRAME_OPENSSL_INLINE long airframe_ctx_add_chain_certificate(SSL_CTX *context, X509 *certificate) {
    return SSL_CTX_add1_chain_cert(context, certificate);
}
AIRFRAME_OPENSSL_INLINE int airframe_ctx_new_index(CRYPTO_EX_free *release) {
    return SSL_CTX_get_ex_new_index(0, NULL, NULL, NULL, release);
}
AIRFRAME_OPENSSL_INLINE void airframe_bio_set_retry_read(BIO *bio) { BIO_set_retry_read(bio); }
AIRFRAME_OPENSSL_INLINE void airframe_bio_clear_retry(BIO *bio) { BIO_clear_retry_flags(bio); }
AIRFRAME_OPENSSL_INLINE int airframe_bio_should_retry(BIO *bio) { return BIO_should_retry(bio); }
AIRFRAME_OPENSSL_INLINE void airframe_bio_copy_next_retry(BIO *bio) { BIO_copy_next_retry(bio); }

AIRFRAME_OPENSSL_INLINE int airframe_ctx_add_timestamps_extension(SSL_CTX *context, SSL_custom_ext_parse_cb_ex parse) {
    unsigned int places = SSL_EXT_CLIENT_HELLO | SSL_EXT_TLS1_2_SERVER_HELLO | SSL_EXT_TLS1_3_CERTIFICATE;
    return SSL_CTX_add_custom_ext(context, TLSEXT_TYPE_signed_certificate_timestamp, places, NULL, NULL, NULL, parse, NULL);
}
AIRFRAME_OPENSSL_INLINE void airframe_ctx_on_server_flight(SSL_CTX *context, int (*callback)(SSL *, void *)) {
    SSL_CTX_set_tlsext_status_cb(context, callback);
}
AIRFRAME_OPENSSL_INLINE void airframe_bio_set_retry_connect(BIO *bio) {
    BIO_set_retry_special(bio);
    BIO_set_retry_reason(bio, BIO_RR_CONNECT);
}
AIRFRAME_OPENSSL_INLINE int airframe_ssl_new_owned_index(CRYPTO_EX_free *release) {
    return SSL_get_ex_new_index(0, NULL, NULL, NULL, release);
}

AIRFRAME_OPENSSL_INLINE int airframe_ssl_new_index(void) { return SSL_get_ex_new_index(0, NULL, NULL, NULL, NULL); }
AIRFRAME_OPENSSL_INLINE long airframe_ssl_set_server_name(SSL *ssl, const char *name) {
    return SSL_set_tlsext_host_name(ssl, name);
}
AIRFRAME_OPENSSL_INLINE void airframe_ctx_set_modes(SSL_CTX *context) {
    SSL_CTX_set_mode(context, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
    SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_CLIENT | SSL_SESS_CACHE_NO_INTERNAL);
    SSL_CTX_set_read_ahead(context, 1);
    SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION);
}
AIRFRAME_OPENSSL_INLINE void airframe_ctx_refuse_renegotiation(SSL_CTX *context) {
    SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION);
}
AIRFRAME_OPENSSL_INLINE void airframe_bio_set_retry_write(BIO *bio) { BIO_set_retry_write(bio); }

AIRFRAME_OPENSSL_INLINE int airframe_general_names_count(const GENERAL_NAMES *names) {
    return sk_GENERAL_NAME_num(names);
}
AIRFRAME_OPENSSL_INLINE GENERAL_NAME *airframe_general_name(const GENERAL_NAMES *names, int index) {
    return sk_GENERAL_NAME_value(names, index);
}
AIRFRAME_OPENSSL_INLINE int airframe_certificates_count(const STACK_OF(X509) *stack) { return sk_X509_num(stack); }
AIRFRAME_OPENSSL_INLINE X509 *airframe_certificate(const STACK_OF(X509) *stack, int index) {
    return sk_X509_value(stack, index);
}

AIRFRAME_OPENSSL_INLINE STACK_OF(X509) *airframe_certificates_new(void) { return sk_X509_new_null(); }
AIRFRAME_OPENSSL_INLINE int airframe_certificates_push(STACK_OF(X509) *stack, X509 *certificate) {
    return X509_up_ref(certificate) == 1 && sk_X509_push(stack, certificate) > 0;
}
AIRFRAME_OPENSSL_INLINE void airframe_certificates_free(STACK_OF(X509) *stack) { sk_X509_pop_free(stack, X509_free); }
AIRFRAME_OPENSSL_INLINE STACK_OF(X509_CRL) *airframe_crls_new(void) { return sk_X509_CRL_new_null(); }
AIRFRAME_OPENSSL_INLINE int airframe_crls_push(STACK_OF(X509_CRL) *stack, X509_CRL *crl) {
    return X509_CRL_up_ref(crl) == 1 && sk_X509_CRL_push(stack, crl) > 0;
}
AIRFRAME_OPENSSL_INLINE void airframe_crls_free(STACK_OF(X509_CRL) *stack) { sk_X509_CRL_pop_free(stack, X509_CRL_free); }
AIRFRAME_OPENSSL_INLINE int airframe_verification_set_owner(X509_STORE_CTX *context, void *owner) {
    return X509_STORE_CTX_set_app_data(context, owner);
}
AIRFRAME_OPENSSL_INLINE void *airframe_verification_owner(X509_STORE_CTX *context) {
    return X509_STORE_CTX_get_app_data(context);
}
AIRFRAME_OPENSSL_INLINE int airframe_key_pkcs8(EVP_PKEY *key, unsigned char **bytes) {
    PKCS8_PRIV_KEY_INFO *info = EVP_PKEY2PKCS8(key);
    int count = info == NULL ? -1 : i2d_PKCS8_PRIV_KEY_INFO(info, bytes);
    PKCS8_PRIV_KEY_INFO_free(info);
    return count;
}

#endif
