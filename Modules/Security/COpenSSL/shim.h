// OpenSSL for Swift: what its headers define as macros, as inline functions. No logic lives here.
#ifndef AIRFRAME_COPENSSL_H
#define AIRFRAME_COPENSSL_H

#include <openssl/err.h>
#include <openssl/ocsp.h>
#include <openssl/pem.h>
#include <openssl/pkcs12.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

#endif
