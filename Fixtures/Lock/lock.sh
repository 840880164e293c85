#!/bin/sh
# The firmware of a lock. Its serial number, which it makes at its first start and keeps in /var/lib, is read by paired phones.
# Two of them may stand in one room: each only knows its own adapter.
set -eu
list() { bluetoothctl --timeout 1 list 2>/dev/null | sed -n 's/^Controller \([0-9A-F:]*\).*/\1/p'; }
until addresses=$(list) && [ -n "$addresses" ]; do :; done
echo "knows $(echo "$addresses" | wc -l) adapter"
mkdir -p /var/lib/lock
[ -s /var/lib/lock/serial ] || { echo "$addresses" | head -n 1 | tr -d : >/var/lib/lock/serial && sync; }
serial=$(cat /var/lib/lock/serial)

mkfifo -m 600 typed told 2>/dev/null || :
# Its questions end in “(yes/no): ” and not with a line.
stdbuf -oL bluetoothctl --agent DisplayYesNo <typed 2>&1 | stdbuf -o0 tr '(' '\n' >told &
exec 3>typed 4<told
type() { printf '%s\n' "$@" >&3; }
await() {
    while read -r line <&4; do case $line in *"$1"*) return ;; esac; done
    echo "bluetoothctl ended before it printed $1" >&2
    exit 1
}
await 'Agent registered'
bytes=$(printf '%s' "$serial" | od -An -v -tx1 | tr -d '\n' | sed 's/^ *//; s/[0-9a-f][0-9a-f]/0x&/g')
type 'power on' 'pairable on' 'menu gatt' 'register-service ff00' yes \
    'register-characteristic ff01 encrypt-authenticated-read' "$bytes" 'register-application' 'back'
await 'Application registered'
type 'menu advertise' 'name Lock' 'uuids ff00' 'discoverable on' 'back' 'advertise on'
await 'Advertising object registered'
echo "$serial is on"
while read -r line <&4; do
    case $line in
    *'Confirm passkey'*)
        echo 'compares a number'
        type yes
        ;;
    *'Bonded: yes'*) echo 'is paired' ;;
    esac
done
