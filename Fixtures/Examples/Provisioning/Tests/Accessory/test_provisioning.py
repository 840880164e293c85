"""The states of the service, without Bluetooth and Wi-Fi."""

import unittest

from improv import Credentials, Error, State, encode, encode_result
from provisioning import Provisioner

WIFI = encode(1, b"\x01a\x08password")
INFO = ["lantern-os", "1.4.0", "Linux", "Lantern"]


class Recorder:
    """A device that records the requests to it."""

    def __init__(self) -> None:
        self.log: list[object] = []

    def show_state(self, state: State) -> None:
        self.log.append(state)

    def show_error(self, error: Error) -> None:
        self.log.append(error)

    def show_result(self, result: bytes) -> None:
        self.log.append(result)

    def join(self, credentials: Credentials) -> None:
        self.log.append(credentials)

    def identify(self) -> None:
        self.log.append("identify")

    def set_timer(self, is_on: bool) -> None:
        self.log.append("timer" if is_on else "no timer")


class ProvisionerTests(unittest.TestCase):
    def make(self, needs_button: bool) -> tuple[Provisioner, list[object]]:
        device = Recorder()
        return Provisioner(device, INFO, needs_button), device.log

    def test_credentials_are_used_and_the_result_is_told(self) -> None:
        provisioner, log = self.make(needs_button=False)
        provisioner.received(WIFI, 0)
        self.assertEqual(log, [Error.NONE, "no timer", State.PROVISIONING, Credentials(b"a", "password")])
        log.clear()
        provisioner.joined()
        self.assertEqual(log, [State.PROVISIONED, b"\x01\x00\x01"])

    def test_a_network_that_cannot_be_joined_is_told_and_may_be_tried_again(self) -> None:
        provisioner, log = self.make(needs_button=False)
        provisioner.received(WIFI, 0)
        provisioner.not_joined()
        self.assertEqual(log[-2:], [State.AUTHORIZED, Error.UNABLE_TO_CONNECT])
        provisioner.received(WIFI, 0)
        self.assertIs(provisioner.state, State.PROVISIONING)

    def test_the_button_allows_credentials_for_a_time(self) -> None:
        provisioner, log = self.make(needs_button=True)
        provisioner.received(WIFI, 0)
        self.assertEqual(log, [Error.NOT_AUTHORIZED])
        provisioner.pressed()
        self.assertEqual(log[1:], ["timer", State.AUTHORIZED])
        provisioner.timed_out()
        self.assertIs(provisioner.state, State.AUTHORIZATION_REQUIRED)
        provisioner.pressed()
        provisioner.received(WIFI, 0)
        provisioner.timed_out()
        self.assertIs(provisioner.state, State.PROVISIONING)
        log.clear()
        provisioner.not_joined()
        self.assertEqual(log, [State.AUTHORIZED, "timer", Error.UNABLE_TO_CONNECT])

    def test_identify_and_info_need_no_authorization(self) -> None:
        provisioner, log = self.make(needs_button=True)
        provisioner.received(encode(2, b""), 0)
        provisioner.received(encode(3, b""), 0)
        self.assertEqual(log[:3], [Error.NONE, "identify", Error.NONE])
        self.assertEqual(log[3:], [encode_result(3, INFO)])

    def test_bad_packets_are_told_and_change_nothing(self) -> None:
        provisioner, log = self.make(needs_button=False)
        for packet, error in [
            (b"\x01\x00\x00", Error.INVALID_PACKET),
            (encode(1, b"\x05a"), Error.INVALID_PACKET),
            (encode(2, b"x"), Error.INVALID_PACKET),
            (encode(4, b""), Error.UNKNOWN_COMMAND),
            (encode(0, b""), Error.UNKNOWN_COMMAND),
        ]:
            log.clear()
            provisioner.received(packet, 0)
            self.assertEqual((log, provisioner.state), ([error], State.AUTHORIZED))

    def test_commands_while_a_network_is_joined_are_refused(self) -> None:
        provisioner, log = self.make(needs_button=False)
        provisioner.received(WIFI, 0)
        log.clear()
        provisioner.received(WIFI, 0)
        provisioner.received(encode(2, b""), 0)
        self.assertEqual(log, [Error.NOT_AUTHORIZED, Error.UNKNOWN])

    def test_a_network_from_before_that_is_gone_allows_nobody_in(self) -> None:
        provisioner, log = self.make(needs_button=True)
        provisioner.rejoining()
        provisioner.not_joined()
        self.assertEqual(log, [State.PROVISIONING, State.AUTHORIZATION_REQUIRED])

    def test_a_network_from_before_is_joined_without_a_result(self) -> None:
        provisioner, log = self.make(needs_button=False)
        provisioner.rejoining()
        provisioner.joined()
        self.assertEqual(log, [State.PROVISIONING, State.PROVISIONED])

    def test_a_lost_link_ends_a_packet(self) -> None:
        provisioner, log = self.make(needs_button=False)
        provisioner.received(WIFI[:5], 0)
        provisioner.disconnected()
        provisioner.received(encode(2, b""), 0)
        self.assertEqual(log, [Error.NONE, "identify"])


if __name__ == "__main__":
    unittest.main()
