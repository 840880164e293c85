"""Switches a board's power off and on again, with labgrid's own drivers. Runs in a thread of its own."""

import time

#: labgrid's driver for each resource that switches power without help of its user.
_DRIVERS = {
    "NetworkPowerPort": "NetworkPowerDriver",
    "NetworkUSBPowerPort": "USBPowerDriver",
    "NetworkSiSPMPowerPort": "SiSPMPowerDriver",
    "NetworkYKUSHPowerPort": "YKUSHPowerDriver",
    "PDUDaemonPort": "PDUDaemonDriver",
}


def can_switch(kind):
    return kind in _DRIVERS


def cycle(place, kind, arguments, extra, seconds):
    """Off, `seconds` without power, and on again. Whatever goes wrong after the power is off, it is switched on."""
    # Only here: the drivers of all the world take a while to load.
    from labgrid import Target, target_factory

    target = Target(place)
    resource = target_factory.make_resource(target, kind, None, arguments)
    resource.extra = extra
    resource.avail = True
    driver = target_factory.make_driver(target, _DRIVERS[kind], None, {})
    target.activate(driver)
    try:
        driver.off()
        time.sleep(seconds)
    finally:
        driver.on()
