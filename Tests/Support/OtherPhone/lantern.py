#!/usr/bin/env python3
"""The phone of phone.py with an app for the lantern of Fixtures/Examples/Provisioning: it brings it into the home's network.

    hil run lanternIsOnboarded --rig hand,virtual --person "python3 lantern.py [OPTION…]"

The options are those of phone.py. The command `provision` sends the name and the passphrase of the home's network, as the run told
them. PYTHONPATH needs the folder of the lantern's improv.py.
"""

import asyncio

import improv
from bumble.core import UUID

import phone

# The longest write with the smallest MTU.
PART = 20


class LanternPhone(phone.Phone):
    async def use(self, command):
        if command != "provision":
            return await super().use(command)
        await self.discover()
        texts = [self.home["ssid"].encode(), self.home["passphrase"].encode()]
        data = b"".join(bytes([len(text)]) + text for text in texts)
        packet = improv.encode(improv.Command.SEND_WIFI, data)
        for start in range(0, len(packet), PART):
            await self.values[UUID(improv.RPC_COMMAND)].write_value(packet[start : start + PART], with_response=True)


if __name__ == "__main__":
    asyncio.run(phone.serve(LanternPhone(phone.arguments().parse_args())))
