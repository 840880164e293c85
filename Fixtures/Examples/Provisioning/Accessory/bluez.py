"""A GATT service and its advertisement, by BlueZ's D-Bus API."""

from __future__ import annotations

from typing import Callable

import dbus
import dbus.service

PROPERTIES = "org.freedesktop.DBus.Properties"
ADAPTER = "/org/bluez/hci0"


def _bytes(value: bytes) -> dbus.Array:
    return dbus.Array([dbus.Byte(byte) for byte in value], signature="y")


class _Object(dbus.service.Object):
    """An object with the properties of one interface."""

    interface = ""

    def __init__(self, bus: dbus.Bus, path: str) -> None:
        super().__init__(bus, path)
        self.path = dbus.ObjectPath(path)

    def properties(self) -> dict[str, object]:
        raise NotImplementedError

    @dbus.service.method(PROPERTIES, in_signature="s", out_signature="a{sv}")
    def GetAll(self, interface: str) -> dict[str, object]:
        return self.properties() if interface == self.interface else {}

    @dbus.service.signal(PROPERTIES, signature="sa{sv}as")
    def PropertiesChanged(self, interface: str, changed: dict[str, object], gone: list[str]) -> None:
        pass


class Characteristic(_Object):
    interface = "org.bluez.GattCharacteristic1"

    def __init__(
        self,
        bus: dbus.Bus,
        path: str,
        uuid: str,
        flags: list[str],
        value: bytes = b"",
        on_write: Callable[[bytes], None] | None = None,
    ) -> None:
        super().__init__(bus, path)
        self._uuid = uuid
        self._flags = flags
        self._value = value
        self._on_write = on_write

    def set(self, value: bytes) -> None:
        """Sets the value, and notifies phones that have subscribed to it, even if it is the same again."""
        self._value = value
        self.PropertiesChanged(self.interface, {"Value": _bytes(value)}, [])

    def properties(self) -> dict[str, object]:
        return {
            "UUID": self._uuid,
            "Service": dbus.ObjectPath(self.path.rpartition("/")[0]),
            "Flags": dbus.Array(self._flags, signature="s"),
            "Value": _bytes(self._value),
        }

    @dbus.service.method(interface, in_signature="a{sv}", out_signature="ay")
    def ReadValue(self, options: dict[str, int]) -> dbus.Array:
        return _bytes(self._value[int(options.get("offset", 0)) :])

    @dbus.service.method(interface, in_signature="aya{sv}")
    def WriteValue(self, value: list[int], options: dict[str, object]) -> None:
        if self._on_write:
            self._on_write(bytes(value))

    @dbus.service.method(interface)
    def StartNotify(self) -> None:
        pass

    @dbus.service.method(interface)
    def StopNotify(self) -> None:
        pass


class Service(_Object):
    interface = "org.bluez.GattService1"

    def __init__(self, bus: dbus.Bus, path: str, uuid: str) -> None:
        super().__init__(bus, path)
        self._uuid = uuid

    def properties(self) -> dict[str, object]:
        return {"UUID": self._uuid, "Primary": dbus.Boolean(True)}


class Application(dbus.service.Object):
    """The objects that BlueZ asks for when the service is registered."""

    def __init__(self, bus: dbus.Bus, path: str, objects: list[_Object]) -> None:
        super().__init__(bus, path)
        self._objects = objects

    @dbus.service.method("org.freedesktop.DBus.ObjectManager", out_signature="a{oa{sa{sv}}}")
    def GetManagedObjects(self) -> dict[dbus.ObjectPath, dict[str, dict[str, object]]]:
        return {one.path: {one.interface: one.properties()} for one in self._objects}


class Advertisement(_Object):
    """Service UUID and service data in the advertisement; the name is in the scan response, for lack of room."""

    interface = "org.bluez.LEAdvertisement1"

    def __init__(self, bus: dbus.Bus, path: str, name: str, service: str, data_uuid: str, data: bytes) -> None:
        super().__init__(bus, path)
        self._name = name
        self._service = service
        self._data_uuid = data_uuid
        self._data = data

    def set(self, data: bytes) -> None:
        self._data = data
        self.PropertiesChanged(self.interface, {"ServiceData": self._service_data}, [])

    @property
    def _service_data(self) -> dbus.Dictionary:
        return dbus.Dictionary({self._data_uuid: _bytes(self._data)}, signature="sv")

    def properties(self) -> dict[str, object]:
        return {
            "Type": "peripheral",
            "LocalName": self._name,
            "ServiceUUIDs": dbus.Array([self._service], signature="s"),
            "ServiceData": self._service_data,
            "Discoverable": dbus.Boolean(True),
        }

    @dbus.service.method(interface)
    def Release(self) -> None:
        pass


class Adapter:
    def __init__(self, bus: dbus.Bus) -> None:
        self._bus = bus
        self._object = bus.get_object("org.bluez", ADAPTER)

    def power_on(self, name: str) -> None:
        properties = dbus.Interface(self._object, PROPERTIES)
        properties.Set("org.bluez.Adapter1", "Alias", name)
        properties.Set("org.bluez.Adapter1", "Powered", dbus.Boolean(True))

    def register(self, application: str, advertisement: str, done: Callable[[], None]) -> None:
        """Returns at once, because BlueZ asks for the objects before it answers."""

        def failed(error: Exception) -> None:
            raise SystemExit(f"BlueZ does not register the service: {error}")

        def advertise() -> None:
            manager = dbus.Interface(self._object, "org.bluez.LEAdvertisingManager1")
            manager.RegisterAdvertisement(advertisement, {}, reply_handler=done, error_handler=failed)

        manager = dbus.Interface(self._object, "org.bluez.GattManager1")
        manager.RegisterApplication(application, {}, reply_handler=advertise, error_handler=failed)

    def on_disconnection(self, call: Callable[[], None]) -> None:
        def changed(interface: str, values: dict[str, object], _: list[str]) -> None:
            if interface == "org.bluez.Device1" and values.get("Connected") == dbus.Boolean(False):
                call()

        self._bus.add_signal_receiver(changed, "PropertiesChanged", PROPERTIES, "org.bluez")
