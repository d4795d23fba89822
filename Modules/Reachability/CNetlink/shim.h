// The kernel's headers for rtnetlink, and the calls that the Glibc module map leaves out.
#ifndef AIRFRAME_CNETLINK_SHIM_H
#define AIRFRAME_CNETLINK_SHIM_H

#include <sys/socket.h>
#include <linux/fib_rules.h>
#include <linux/if_addr.h>
#include <linux/if_arp.h>
#include <linux/if_link.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <linux/sched.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

// Glibc's SOCK_… are of an enumeration, whose C type Swift would have to convert at each call.
static inline int airframe_netlink_socket(void) {
    return socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);
}

static inline int airframe_bus_socket(void) {
    return socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
}

// SIOCGIWNAME of <linux/wireless.h>, which clashes with the C library's <net/if.h>. Every kind of socket answers it.
static inline int airframe_is_wireless(int descriptor, const char *name) {
    char request[64] = {0};
    strncpy(request, name, IFNAMSIZ - 1);
    return ioctl(descriptor, 0x8B01, request) == 0;
}

// setns(2): the C library declares it for programs in its GNU dialect only, which the Glibc module is not.
static inline int airframe_enter_network_namespace(int descriptor) {
    return (int)syscall(SYS_setns, descriptor, CLONE_NEWNET);
}

// prctl is variadic.
static inline void airframe_name_thread(const char *name) { prctl(PR_SET_NAME, name, 0L, 0L, 0L); }

// Linux 6.1 and later; older headers lack it, older kernels ignore it.
#define AIRFRAME_RTEXT_FILTER_SKIP_STATS (1 << 3)

#endif
