import CryptoKit
import RadioModel

/// The cryptographic functions of the security manager, as the specification writes them: most significant byte first.
///
/// Source: Core Specification 6.0, Vol 3, Part H, 2.2.
package enum SecurityToolbox {
    /// Encrypts one block: the security function e (2.2.1).
    package static func e(key: Value128, _ block: Value128) -> Value128 {
        Value128(block: AES.encrypt(block: block.bytes, key: key.bytes))
    }

    /// The hash in a resolvable private address: the random address hash function ah (2.2.2).
    ///
    /// - Parameters:
    ///   - key: An identity resolving key.
    ///   - prand: The random part of the address, 24 bits.
    /// - Returns: 24 bits.
    package static func ah(key: Value128, prand: UInt32) -> UInt32 {
        let block = Value128(high: 0, low: UInt64(prand & 0xFF_FFFF))
        return UInt32(truncatingIfNeeded: e(key: key, block).low & 0xFF_FFFF)
    }

    /// The confirm value of legacy pairing: the function c1 (2.2.3).
    ///
    /// - Parameters:
    ///   - key: The temporary key.
    ///   - random: The random number of the end that sends the confirm value.
    ///   - features: The Pairing Request and the Pairing Response.
    ///   - addresses: The addresses with which the link was made.
    static func c1(
        key: Value128, random: Value128, features: PairingFeatureExchange, addresses: PairingAddresses
    ) -> Value128 {
        let response: [UInt8] = SMPCommand.pairingResponse(features.response).bytes.reversed()
        let request: [UInt8] = SMPCommand.pairingRequest(features.request).bytes.reversed()
        let first = Value128(
            block: response + request + [addresses.responder.typeByte, addresses.initiator.typeByte])
        let second = Value128(
            block: [0, 0, 0, 0] + addresses.initiator.address.bytes + addresses.responder.address.bytes)
        return e(key: key, e(key: key, random ^ first) ^ second)
    }

    /// The short-term key of legacy pairing: the key generation function s1 (2.2.4).
    ///
    /// - Parameters:
    ///   - key: The temporary key.
    ///   - responder: The responder's random number.
    ///   - initiator: The initiator's random number.
    package static func s1(key: Value128, responder: Value128, initiator: Value128) -> Value128 {
        e(key: key, Value128(high: responder.low, low: initiator.low))
    }
}

/// The addresses with which a link was made, by role.
struct PairingAddresses: Sendable, Hashable {
    var initiator: PeerAddress
    var responder: PeerAddress
}
