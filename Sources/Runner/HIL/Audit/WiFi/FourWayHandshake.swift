import CommonCrypto
import RadioModel

/// The first two messages of a four-way handshake, by which anybody who has heard them can try passphrases.
///
/// Source: IEEE 802.11-2020, 12.7.1.2, 12.7.2, 12.7.6 and J.4.1.
struct FourWayHandshake: Sendable, Equatable {
    /// The address of the access point.
    let accessPoint: DeviceAddress
    let station: DeviceAddress
    private let nonces: [[UInt8]]
    /// The second message, with zeros in place of its integrity code.
    private let message: [UInt8]
    private let code: [UInt8]
    private let algorithm: Algorithm

    /// How the integrity code is made, by the version of the key descriptor.
    private enum Algorithm: UInt8 {
        case md5 = 1
        case sha1 = 2
        case cmac = 3
    }

    /// The handshakes of a capture whose passphrase can be tried, without repetitions.
    static func all(in capture: [UInt8]) -> [FourWayHandshake] {
        let interfaces = PcapNGPackets.interfaces(in: capture)
        var first: [[DeviceAddress]: KeyFrame] = [:]
        var found: [FourWayHandshake] = []
        for packet in PcapNGPackets(capture) {
            let index = Int(packet.interface)
            guard interfaces.indices.contains(index), interfaces[index].hasSuffix("-wifi"),
                let frame = KeyFrame(packet.bytes), let number = frame.number
            else { continue }
            switch number {
            case 1: first[[frame.from, frame.to]] = frame
            case 2:
                guard let asked = first[[frame.to, frame.from]],
                    let handshake = FourWayHandshake(asked, answeredBy: frame),
                    !found.contains(handshake)
                else { continue }
                found.append(handshake)
            default: break
            }
        }
        return found
    }

    private init?(_ first: KeyFrame, answeredBy second: KeyFrame) {
        guard first.replayCounter == second.replayCounter, let algorithm = Algorithm(rawValue: second.version) else {
            return nil
        }
        (accessPoint, station, self.algorithm) = (first.from, first.to, algorithm)
        (nonces, message, code) = ([first.nonce, second.nonce], second.withoutCode, second.code)
    }

    /// Whether the station used this passphrase for the network of this name.
    func used(_ passphrase: String, ssid: String) -> Bool {
        let master = FourWayHandshake.masterKey(of: passphrase, ssid: ssid)
        return integrityCode(by: confirmationKey(of: master)) == code
    }

    /// The pairwise master key of a passphrase.
    static func masterKey(of passphrase: String, ssid: String) -> [UInt8] {
        var key = [UInt8](repeating: 0, count: 32)
        let (characters, salt) = (passphrase.utf8.map { CChar(bitPattern: $0) }, Array(ssid.utf8))
        _ = CCKeyDerivationPBKDF(
            CCPBKDFAlgorithm(kCCPBKDF2), characters, characters.count, salt, salt.count,
            CCPseudoRandomAlgorithm(kCCPRFHmacAlgSHA1), 4096, &key, key.count)
        return key
    }

    private func confirmationKey(of master: [UInt8]) -> [UInt8] {
        let label = Array("Pairwise key expansion".utf8)
        let data = Self.ordered([accessPoint.bytes, station.bytes]) + Self.ordered(nonces)
        switch algorithm {
        case .md5, .sha1: return Array(Self.hmac(kCCHmacAlgSHA1, 20, master, label + [0] + data + [0]).prefix(16))
        // Counter and length are 16 bits each, least significant byte first; the key has 384 bits.
        case .cmac:
            return Array(Self.hmac(kCCHmacAlgSHA256, 32, master, [1, 0] + label + data + [0x80, 1]).prefix(16))
        }
    }

    /// Both values in one, the smaller first.
    private static func ordered(_ values: [[UInt8]]) -> [UInt8] {
        values.sorted { $0.lexicographicallyPrecedes($1) }.flatMap { $0 }
    }

    private func integrityCode(by key: [UInt8]) -> [UInt8] {
        switch algorithm {
        case .md5: Self.hmac(kCCHmacAlgMD5, 16, key, message)
        case .sha1: Array(Self.hmac(kCCHmacAlgSHA1, 20, key, message).prefix(16))
        case .cmac: Self.cmac(key, message)
        }
    }

    private static func hmac(_ algorithm: Int, _ size: Int, _ key: [UInt8], _ data: [UInt8]) -> [UInt8] {
        var code = [UInt8](repeating: 0, count: size)
        CCHmac(CCHmacAlgorithm(algorithm), key, key.count, data, data.count, &code)
        return code
    }

    /// AES-CMAC (RFC 4493) of a message that is not empty.
    static func cmac(_ key: [UInt8], _ message: [UInt8]) -> [UInt8] {
        func encrypt(_ block: [UInt8]) -> [UInt8] {
            var (result, count) = ([UInt8](repeating: 0, count: 16), 0)
            _ = CCCrypt(
                CCOperation(kCCEncrypt), CCAlgorithm(kCCAlgorithmAES), CCOptions(kCCOptionECBMode), key, key.count, nil,
                block, block.count, &result, result.count, &count)
            return result
        }
        func doubled(_ block: [UInt8]) -> [UInt8] {
            var result = zip(block, block.dropFirst() + [0]).map { $0 << 1 | $1 >> 7 }
            if block[0] & 0x80 != 0 { result[15] ^= 0x87 }
            return result
        }
        let subkey = doubled(encrypt([UInt8](repeating: 0, count: 16)))
        let lastLength = (message.count - 1) % 16 + 1
        var last = Array(message.suffix(lastLength))
        if lastLength < 16 { last += [0x80] + [UInt8](repeating: 0, count: 15 - lastLength) }
        last = zip(last, lastLength == 16 ? subkey : doubled(subkey)).map { $0 ^ $1 }
        var state = [UInt8](repeating: 0, count: 16)
        for start in stride(from: 0, to: message.count - lastLength, by: 16) {
            state = encrypt(zip(state, message[start..<(start + 16)]).map { $0 ^ $1 })
        }
        return encrypt(zip(state, last).map { $0 ^ $1 })
    }
}

/// An EAPOL-Key frame in a data frame of 802.11 that is not encrypted (IEEE 802.11-2020, 12.7.2).
struct KeyFrame {
    let to: DeviceAddress
    let from: DeviceAddress
    /// From the protocol's version on.
    private let bytes: [UInt8]

    /// The key frame after a radiotap header; nil for another frame, or too little of one.
    init?(_ packet: ArraySlice<UInt8>) {
        guard packet.count > 4 else { return nil }
        let header = Int(packet[packet.startIndex + 2]) | Int(packet[packet.startIndex + 3]) << 8
        let frame = Array(packet.dropFirst(header))
        // Version 0, type 2; not between access points, not encrypted.
        guard frame.count > 24, frame[0] & 0x0F == 0x08, frame[1] & 0x43 == 0x01 || frame[1] & 0x43 == 0x02,
            let first = DeviceAddress(bytes: frame[4..<10]), let second = DeviceAddress(bytes: frame[10..<16])
        else { return nil }
        (to, from) = (first, second)
        let hasQuality = frame[0] & 0x80 != 0
        let body = frame.dropFirst(hasQuality ? 26 : 24)
        // LLC and SNAP of EAPOL, then its version, its type 3, its length, and the descriptor.
        guard body.starts(with: [0xAA, 0xAA, 3, 0, 0, 0, 0x88, 0x8E]) else { return nil }
        let message = Array(body.dropFirst(8))
        guard message.count >= 99, message[1] == 3, message[4] == 2 || message[4] == 254 else { return nil }
        let length = 4 + (Int(message[2]) << 8 | Int(message[3]))
        guard length >= 99, length <= message.count else { return nil }
        bytes = Array(message.prefix(length))
    }

    private var information: UInt16 { UInt16(bytes[5]) << 8 | UInt16(bytes[6]) }
    /// The version of the key descriptor.
    var version: UInt8 { UInt8(information & 7) }
    var replayCounter: [UInt8] { Array(bytes[9..<17]) }
    var nonce: [UInt8] { Array(bytes[17..<49]) }
    var code: [UInt8] { Array(bytes[81..<97]) }

    /// The frame with zeros in place of its integrity code.
    var withoutCode: [UInt8] { bytes[..<81] + [UInt8](repeating: 0, count: 16) + bytes[97...] }

    /// Which message of the four-way handshake it is; nil for one of another handshake.
    var number: Int? {
        guard information & 0x08 != 0 else { return nil }
        let (isAsking, hasCode, isEmpty) = (
            information & 0x80 != 0, information & 0x100 != 0, bytes[97] == 0 && bytes[98] == 0
        )
        switch (isAsking, hasCode) {
        case (true, false): return 1
        case (true, true): return 3
        case (false, true): return isEmpty ? 4 : 2
        case (false, false): return nil
        }
    }
}
