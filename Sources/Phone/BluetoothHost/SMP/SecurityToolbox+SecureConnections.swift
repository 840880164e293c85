import CryptoKit
import RadioModel

// The functions of LE Secure Connections, and those that derive a key of one transport from the other's.
extension SecurityToolbox {
    /// The confirm value of Secure Connections: the function f4 (2.2.6).
    ///
    /// - Parameters:
    ///   - u: The X coordinate of the sender's public key, 32 bytes.
    ///   - v: The X coordinate of the receiver's public key, 32 bytes.
    ///   - x: The sender's random number.
    ///   - z: 0, or in passkey entry 0x80 and a bit of the passkey.
    package static func f4(u: [UInt8], v: [UInt8], x: Value128, z: UInt8) -> Value128 { cmac(x, u + v + [z]) }

    /// The keys of Secure Connections: the key generation function f5 (2.2.7).
    ///
    /// - Parameters:
    ///   - secret: The shared secret (DHKey), 32 bytes.
    ///   - nonces: The random numbers of the initiator and of the responder.
    ///   - addresses: Of the initiator and of the responder.
    /// - Returns: The key for DHKey checks, and the long-term key.
    static func f5(
        secret: [UInt8], nonces: (initiator: Value128, responder: Value128), addresses: PairingAddresses
    ) -> (checkKey: Value128, longTermKey: Value128) {
        let salt = Value128(high: 0x6C88_8391_AAF5_A538, low: 0x6037_0BDB_5A60_83BE)
        let key = cmac(salt, secret)
        func derived(_ counter: UInt8) -> Value128 {
            var message = [counter] + Array("btle".utf8)
            message += nonces.initiator.bytes + nonces.responder.bytes
            message += addresses.initiator.typeAndBytes + addresses.responder.typeAndBytes
            // The length of the result: 256 bits.
            return cmac(key, message + [0x01, 0x00])
        }
        return (derived(0), derived(1))
    }

    /// A DHKey check: the check value generation function f6 (2.2.8).
    ///
    /// - Parameters:
    ///   - key: The key for DHKey checks.
    ///   - nonces: The random numbers of the sender and of the receiver.
    ///   - r: Zero, or the passkey.
    ///   - sender: What the sender said in its Pairing Request or Response.
    ///   - addresses: Of the sender and of the receiver.
    static func f6(
        key: Value128, nonces: (sender: Value128, receiver: Value128), r: Value128, sender: PairingParameters,
        addresses: (sender: PeerAddress, receiver: PeerAddress)
    ) -> Value128 {
        var message = nonces.sender.bytes + nonces.receiver.bytes + r.bytes
        message += [sender.authentication.rawValue, sender.hasOutOfBandData ? 1 : 0, sender.capability.code]
        return cmac(key, message + addresses.sender.typeAndBytes + addresses.receiver.typeAndBytes)
    }

    /// The number of numeric comparison, all 32 bits: the function g2 (2.2.9). People see the last six decimal digits.
    ///
    /// - Parameters:
    ///   - u: The X coordinate of the initiator's public key, 32 bytes.
    ///   - v: The X coordinate of the responder's public key, 32 bytes.
    ///   - x: The initiator's random number.
    ///   - y: The responder's random number.
    package static func g2(u: [UInt8], v: [UInt8], x: Value128, y: Value128) -> UInt32 {
        UInt32(truncatingIfNeeded: cmac(x, u + v + y.bytes).low)
    }

    /// Derives a key by the name of its purpose: the link key conversion function h6 (2.2.10).
    ///
    /// - Parameter name: Four characters of ASCII.
    package static func h6(key: Value128, name: String) -> Value128 { cmac(key, Array(name.utf8)) }

    /// Derives a key by the name of its purpose: the link key conversion function h7 (2.2.11).
    ///
    /// - Parameter name: Four characters of ASCII. Zeros before them make the salt.
    package static func h7(name: String, key: Value128) -> Value128 {
        cmac(Value128(high: 0, low: UInt64(mostSignificantFirst: name.utf8)), key.bytes)
    }

    /// The BR/EDR link key that belongs to an LE long-term key (2.4.2.4).
    ///
    /// - Parameters:
    ///   - longTermKey: Before it was shortened.
    ///   - usesCT2: Whether both ends support h7.
    package static func linkKey(longTermKey: Value128, usesCT2: Bool) -> Value128 {
        h6(key: usesCT2 ? h7(name: "tmp1", key: longTermKey) : h6(key: longTermKey, name: "tmp1"), name: "lebr")
    }

    /// The LE long-term key that belongs to a BR/EDR link key (2.4.2.5).
    ///
    /// - Parameter usesCT2: Whether both ends support h7.
    package static func longTermKey(linkKey: Value128, usesCT2: Bool) -> Value128 {
        h6(key: usesCT2 ? h7(name: "tmp2", key: linkKey) : h6(key: linkKey, name: "tmp2"), name: "brle")
    }

    private static func cmac(_ key: Value128, _ message: [UInt8]) -> Value128 {
        Value128(block: AES.cmac(message, key: key.bytes))
    }
}

extension PeerAddress {
    /// Seven bytes: the type, then the address, most significant first.
    fileprivate var typeAndBytes: [UInt8] { [typeByte] + address.bytes }
}
