"""The packets, by the examples and tables of the specification."""

import unittest

from improv import Assembler, Credentials, MalformedPacket, Packet, encode, encode_result, parse_credentials

EXAMPLE = bytes.fromhex("011e0c") + b"MyWirelessAP" + b"\x10" + b"mysecurepassword"
WHOLE = EXAMPLE + bytes([sum(EXAMPLE) & 0xFF])


class PacketTests(unittest.TestCase):
    def test_the_example_of_the_specification(self) -> None:
        self.assertEqual(encode(1, EXAMPLE[2:]), WHOLE)
        self.assertEqual(parse_credentials(EXAMPLE[2:]), Credentials(b"MyWirelessAP", "mysecurepassword"))

    def test_a_packet_in_parts_of_any_size(self) -> None:
        for size in range(1, len(WHOLE) + 1):
            assembler = Assembler()
            parts = [WHOLE[start : start + size] for start in range(0, len(WHOLE), size)]
            packets = [assembler.feed(part, 0) for part in parts]
            self.assertEqual(packets, [None] * (len(parts) - 1) + [Packet(1, EXAMPLE[2:])])

    def test_two_packets_one_after_the_other(self) -> None:
        assembler = Assembler()
        self.assertEqual([assembler.feed(encode(2, b""), 0) for _ in range(2)], [Packet(2, b"")] * 2)

    def test_a_wrong_checksum_is_refused_and_the_next_packet_is_read(self) -> None:
        assembler = Assembler()
        with self.assertRaises(MalformedPacket):
            assembler.feed(WHOLE[:-1] + bytes([WHOLE[-1] ^ 1]), 0)
        self.assertEqual(assembler.feed(encode(2, b""), 0), Packet(2, b""))

    def test_bytes_after_the_checksum_are_refused(self) -> None:
        with self.assertRaises(MalformedPacket):
            Assembler().feed(encode(2, b"") + b"\0", 0)

    def test_the_rest_of_a_packet_is_not_awaited_for_ever(self) -> None:
        assembler = Assembler()
        self.assertIsNone(assembler.feed(WHOLE[:20], 0))
        self.assertEqual(assembler.feed(encode(2, b""), Assembler.PAUSE + 1), Packet(2, b""))

    def test_a_lost_link_ends_a_packet(self) -> None:
        assembler = Assembler()
        self.assertIsNone(assembler.feed(WHOLE[:20], 0))
        assembler.reset()
        self.assertEqual(assembler.feed(encode(2, b""), 0), Packet(2, b""))

    def test_results_are_lists_of_strings(self) -> None:
        self.assertEqual(encode_result(3, ["a", "é"]), bytes.fromhex("03 05 01 61 02 c3 a9 d8"))
        self.assertEqual(encode_result(1, []), b"\x01\x00\x01")


class CredentialTests(unittest.TestCase):
    def test_an_open_network_has_no_passphrase(self) -> None:
        self.assertEqual(parse_credentials(b"\x01a\x00"), Credentials(b"a", ""))

    def test_a_passphrase_is_never_shown(self) -> None:
        self.assertNotIn("swordfish", repr(Credentials(b"a", "swordfish")))

    def test_others_are_refused(self) -> None:
        good = b"\x01a\x08password"
        self.assertEqual(parse_credentials(good).passphrase, "password")
        for data in [
            b"",
            b"\x01",
            b"\x01a",
            b"\xffa\x08password",
            b"\x00\x08password",
            b"\x21" + b"a" * 33 + b"\x08password",
            b"\x01a\x07password",
            b"\x01a\x09password",
            b"\x01a\x07passwor",
            b"\x01a\x08pass\nord",
            b"\x01a\x08pass\xfford",
            b"\x01a\x40" + b"g" * 64,
        ]:
            with self.subTest(data=data), self.assertRaises(MalformedPacket):
                parse_credentials(data)


if __name__ == "__main__":
    unittest.main()
