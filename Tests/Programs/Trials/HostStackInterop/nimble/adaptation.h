/// What NimBLE's port lacks here. Every source of NimBLE is compiled with this file.
#ifndef NIMBLE_ADAPTATION_H
#define NIMBLE_ADAPTATION_H

#include <mbedtls/ecp.h>
#include <mbedtls/version.h>

#if MBEDTLS_VERSION_NUMBER < 0x03050000
/// Copies the parts of a key pair, as Mbed TLS 3.5 and later do; Debian 12 has 2.28. Returns an error code of Mbed TLS.
static inline __attribute__((unused)) int mbedtls_ecp_export(
    const mbedtls_ecp_keypair *key, mbedtls_ecp_group *group, mbedtls_mpi *secret, mbedtls_ecp_point *point) {
    int status = mbedtls_ecp_group_copy(group, &key->grp);
    if (status == 0) {
        status = mbedtls_mpi_copy(secret, &key->d);
    }
    return status == 0 ? mbedtls_ecp_copy(point, &key->Q) : status;
}
#endif

// The port for Linux prints its whole log, keys included, on standard output. This stands for its header, and prints nothing.
#define _NIMBLE_NPL_OS_LOG_H_
#define BLE_NPL_LOG_IMPL(level)                                                                                        \
    static inline __attribute__((unused)) void _BLE_NPL_LOG_CAT(BLE_NPL_LOG_MODULE, _BLE_NPL_LOG_CAT(_, level))(       \
        const char *format, ...) {                                                                                     \
        (void)format;                                                                                                  \
    }

#endif
