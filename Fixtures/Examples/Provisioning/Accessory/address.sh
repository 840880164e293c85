#!/bin/sh
# udhcpc calls this with an address.
[ "$1" = bound ] || exit 0
busybox ip address flush dev "$interface"
busybox ip address add "$ip/24" dev "$interface"
echo "address $ip"
