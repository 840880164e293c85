"""The radio of a lamp, by BlueZ: a service FF00 with the command FF01 to be written, and the answer FF02."""

from __future__ import annotations

from typing import Callable

import dbus
import dbus.mainloop.glib
import dbus.service
from gi.repository import GLib

ADAPTER = "/org/bluez/hci0"
PROPERTIES = "org.freedesktop.DBus.Properties"
SERVICE, COMMAND, ANSWER = (f"0000ff0{number}-0000-1000-8000-00805f9b34fb" for number in range(3))


def say(line: str) -> None:
    print(line, flush=True)


def _bytes(value: bytes) -> dbus.Array:
    return dbus.Array([dbus.Byte(byte) for byte in value], signature="y")


class _Object(dbus.service.Object):
    """An object with the properties of one interface."""

    def __init__(self, bus: dbus.Bus, path: str, interface: str, properties: dict[str, object]) -> None:
        super().__init__(bus, path)
        self.path, self.interface, self.all = dbus.ObjectPath(path), interface, properties

    @dbus.service.method(PROPERTIES, in_signature="s", out_signature="a{sv}")
    def GetAll(self, interface: str) -> dict[str, object]:
        return self.all

    @dbus.service.signal(PROPERTIES, signature="sa{sv}as")
    def PropertiesChanged(self, interface: str, changed: dict[str, object], gone: list[str]) -> None:
        self.all.update(changed)


class _Characteristic(_Object):
    interface_name = "org.bluez.GattCharacteristic1"

    def __init__(self, bus: dbus.Bus, path: str, uuid: str, flags: list[str], on_write: Callable[[bytes], None]) -> None:
        service = dbus.ObjectPath(path.rpartition("/")[0])
        properties = {"UUID": uuid, "Service": service, "Flags": dbus.Array(flags, signature="s"), "Value": _bytes(b"")}
        super().__init__(bus, path, self.interface_name, properties)
        self._on_write = on_write

    @dbus.service.method(interface_name, in_signature="a{sv}", out_signature="ay")
    def ReadValue(self, options: dict[str, object]) -> dbus.Array:
        return self.all["Value"]

    @dbus.service.method(interface_name, in_signature="aya{sv}")
    def WriteValue(self, value: list[int], options: dict[str, object]) -> None:
        self._on_write(bytes(value))

    @dbus.service.method(interface_name)
    def StartNotify(self) -> None:
        pass

    @dbus.service.method(interface_name)
    def StopNotify(self) -> None:
        pass


class _Application(dbus.service.Object):
    """The objects that BlueZ asks for when the service is registered."""

    def __init__(self, bus: dbus.Bus, path: str, objects: list[_Object]) -> None:
        super().__init__(bus, path)
        self._objects = objects

    @dbus.service.method("org.freedesktop.DBus.ObjectManager", out_signature="a{oa{sa{sv}}}")
    def GetManagedObjects(self) -> dict[dbus.ObjectPath, dict[str, dict[str, object]]]:
        return {one.path: {one.interface: one.all} for one in self._objects}


class Radio:
    """A lamp derives from it: what happens on the air calls `wrote`, `connected` and `disconnected`."""

    def __init__(self) -> None:
        dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
        self._bus = bus = dbus.SystemBus()
        self._adapter: dbus.proxies.ProxyObject | None = None
        self._is_connected = False
        # Called when it advertises, which may be only after bluetoothd runs again.
        self._awaited: Callable[[], None] = lambda: None
        service = _Object(bus, "/lamp/service", "org.bluez.GattService1", {"UUID": SERVICE, "Primary": True})
        command = _Characteristic(bus, "/lamp/service/command", COMMAND, ["write"], lambda value: self.wrote(value))
        self._answer = _Characteristic(bus, "/lamp/service/answer", ANSWER, ["read", "notify"], lambda value: None)
        self._objects = _Application(bus, "/lamp", [service, command, self._answer])
        advertisement = {
            "Type": "peripheral",
            "LocalName": "Lamp",
            "ServiceUUIDs": dbus.Array([SERVICE], signature="s"),
            "Discoverable": dbus.Boolean(True),
        }
        self._advertisement = _Object(bus, "/lamp/advertisement", "org.bluez.LEAdvertisement1", advertisement)
        bus.add_signal_receiver(self._changed, "PropertiesChanged", PROPERTIES, "org.bluez")
        # A phone that BlueZ has not seen before.
        bus.add_signal_receiver(self._added, "InterfacesAdded", "org.freedesktop.DBus.ObjectManager", "org.bluez")
        bus.watch_name_owner("org.bluez", self._owner_changed)

    def _owner_changed(self, owner: str) -> None:
        """bluetoothd runs, or has ended: it forgets everything."""
        if owner:
            GLib.timeout_add(50, self._set_up)
        elif self._adapter:
            self._adapter = None
            self._is_connected = False
            self.disconnected()

    def _set_up(self) -> bool:
        try:
            adapter = self._bus.get_object("org.bluez", ADAPTER)
            properties = dbus.Interface(adapter, PROPERTIES)
            properties.Set("org.bluez.Adapter1", "Alias", "Lamp")
            properties.Set("org.bluez.Adapter1", "Powered", dbus.Boolean(True))
        except dbus.DBusException:
            return True  # Again: bluetoothd has not found its adapter yet.
        self._adapter = adapter
        manager = dbus.Interface(adapter, "org.bluez.GattManager1")
        # BlueZ asks for the objects before it answers.
        manager.RegisterApplication("/lamp", {}, reply_handler=self._registered, error_handler=self._failed)
        return False

    def _registered(self) -> None:
        awaited, self._awaited = self._awaited, lambda: None

        def on() -> None:
            say("Lamp is on")
            awaited()

        self.advertise(True, on)

    def _failed(self, error: Exception) -> None:
        say(f"BlueZ refuses: {error}")

    def advertise(self, is_on: bool, done: Callable[[], None] = lambda: None) -> None:
        """Begins or ends to advertise. BlueZ itself goes on when a link has ended."""
        if not self._adapter:
            self._awaited = done if is_on else lambda: None
            return
        manager = dbus.Interface(self._adapter, "org.bluez.LEAdvertisingManager1")
        path = self._advertisement.path
        if is_on:
            manager.RegisterAdvertisement(path, {}, reply_handler=done, error_handler=self._failed)
        else:
            manager.UnregisterAdvertisement(path, reply_handler=done, error_handler=lambda error: None)

    def answer(self, text: str) -> None:
        say(f"answers: {text}")
        self._answer.PropertiesChanged(_Characteristic.interface_name, {"Value": _bytes(text.encode())}, [])

    def _changed(self, interface: str, values: dict[str, object], _: list[str]) -> None:
        if interface != "org.bluez.Device1" or "Connected" not in values:
            return
        if bool(values["Connected"]) == self._is_connected:
            return
        self._is_connected = bool(values["Connected"])
        if self._is_connected:
            self.connected()
        else:
            self.disconnected()

    def _added(self, path: str, interfaces: dict[str, dict[str, object]]) -> None:
        for interface, values in interfaces.items():
            self._changed(interface, values, [])

    def run(self) -> None:
        GLib.MainLoop().run()

    def wrote(self, value: bytes) -> None:
        """The phone wrote a part of a command."""

    def connected(self) -> None:
        """A phone connected."""

    def disconnected(self) -> None:
        """The link ended, in order or not."""
