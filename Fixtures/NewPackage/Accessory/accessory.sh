#!/bin/sh
# The accessory: a GATT service with one characteristic, a greeting.
#   accessory.sh NAME GREETING
# This stands in for your firmware: any language will do. It runs on the accessory board as it would on a product, with
# its own bluetoothd.
set -eu
name=$1 greeting=$2

printf '[General]\nName = %s\nControllerMode = le\nDiscoverableTimeout = 0\n' "$name" >main.conf
/usr/libexec/bluetooth/bluetoothd -n -f "$PWD/main.conf" &
until bluetoothctl --timeout 1 list 2>/dev/null | grep -q Controller; do :; done

# bluetoothctl reads its commands from a pipe, and runs while the pipe is open.
mkfifo typed
bluetoothctl <typed >bluetoothctl.log 2>&1 &
exec 3>typed
bytes=$(printf '%s' "$greeting" | od -An -v -tx1 | tr -d '\n' | sed 's/^ *//; s/[0-9a-f][0-9a-f]/0x&/g')
printf '%s\n' 'power on' 'pairable on' 'menu gatt' 'register-service __SERVICE__' yes \
    'register-characteristic __GREETING__ read' "$bytes" 'register-application' 'back' \
    'menu advertise' "name $name" 'uuids __SERVICE__' 'discoverable on' 'back' 'advertise on' >&3
echo "$name is on"
wait
