#!/bin/sh
# Joins a network as a product does: wpa_supplicant, and udhcpc for an address. Its input is a line with the network's
# name, and one with the passphrase.
if [ $# -gt 0 ]; then
    # udhcpc calls this script with what has happened.
    [ "$1" = bound ] || exit 0
    busybox ip address add "$ip/24" dev "$interface"
    echo "address $ip"
    busybox ping -c 1 "$router" >/dev/null && echo "the router answers"
    exit 0
fi
read -r ssid
read -r passphrase
umask 077
printf 'sae_pwe=2\nnetwork={\nssid="%s"\npsk="%s"\nkey_mgmt=WPA-PSK SAE\nieee80211w=1\nscan_freq=2412\n}\n' \
    "$ssid" "$passphrase" >wpa_supplicant.conf
wpa_supplicant -i wlan0 -D nl80211 -c wpa_supplicant.conf &
exec busybox udhcpc -f -i wlan0 -t 60 -T 1 -s "$PWD/joiner.sh"
