#!/bin/sh
# A thermostat whose firmware runs its own bluetoothd. It offers one characteristic, which holds the temperature.
name=$1
# The firmware's own configuration, not that of the board.
cat >main.conf <<CONF
[General]
Name = $name
ControllerMode = le
ReverseServiceDiscovery = false
[LE]
MinAdvertisementInterval = 32
MaxAdvertisementInterval = 64
[Policy]
AutoEnable = true
CONF
/usr/libexec/bluetooth/bluetoothd -n -f "$PWD/main.conf" &
until bluetoothctl --timeout 1 list 2>/dev/null | grep -q Controller; do :; done

mkfifo typed told
stdbuf -oL bluetoothctl <typed >told 2>&1 &
exec 3>typed 4<told
type() { printf '%s\n' "$@" >&3; }
# Reads what bluetoothctl prints up to a line with this text.
await() {
    while read -r line <&4; do
        echo "bluetoothctl: $line"
        case $line in *"$1"*) return ;; esac
    done
    echo "bluetoothctl ended before it printed $1" >&2
    exit 1
}
await 'Agent registered'
type 'menu gatt' 'register-service 7e570000-1c2b-4e0a-9f4b-6d1e0c5a8b21' 'yes' \
    'register-characteristic 7e570001-1c2b-4e0a-9f4b-6d1e0c5a8b21 read' '0x32 0x31' 'register-application' 'back'
await 'Application registered'
type 'menu advertise' "name $name" 'uuids 7e570000-1c2b-4e0a-9f4b-6d1e0c5a8b21' 'discoverable on' 'back' 'advertise on'
await 'Advertising object registered'
cat <&4 >/dev/null &
echo "$name is on"
# What a person does with the thermostat comes in by its standard input.
while read -r word; do
    # Whoever hears of the word may fetch the file.
    echo "$word" >last-word
    echo "heard $word"
done
