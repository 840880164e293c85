import RadioModel
import Testing

@testable import HIL

@Suite("Handshakes of Wi-Fi, by which a stranger tries passphrases")
struct FourWayHandshakeTests {
    // The first two messages between a phone and a lamp by hostapd and wpa_supplicant 2.10: with WPA2 and the passphrase
    // “cinder fjord walnut”, and with protected management frames and “00000200”.
    private static let first =
        "00000f002e00000000026c09a000dc08023a010200000001000200000002000200000002003000aaaa03000000888e02"
        + "03005f02008a001000000000000000011a9e38a38e6cd9ccdc7064df341d75ed837c0f5682797cf55f499ffc08afa29d"
        + "000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000"
        + "0000"
    private static let second =
        "00000f002e00000000026c09a000dc08013a010200000002000200000001000200000002002000aaaa03000000888e01"
        + "03007502010a0000000000000000000179dd9bbb997d597c2d4f9a119db9dd551d7e7967ca35cc4cc2416c16d469e23c"
        + "00000000000000000000000000000000000000000000000000000000000000004de77c229f1736aa0695b306b5f8b94c"
        + "001630140100000fac040100000fac040100000fac028000"
    /// The same second message with the first WPA's integrity code, by Python's HMAC-MD5.
    private static let secondOfFirstWPA =
        "00000f002e00000000026c09a000dc08013a010200000002000200000001000200000002002000aaaa03000000888e01"
        + "0300750201090000000000000000000179dd9bbb997d597c2d4f9a119db9dd551d7e7967ca35cc4cc2416c16d469e23c"
        + "0000000000000000000000000000000000000000000000000000000000000000c260dd486ae8f08d12952ed613c034a0"
        + "001630140100000fac040100000fac040100000fac028000"
    private static let firstProtected =
        "00000f002e00000000026c09a000dc08023a010200000001000200000002000200000002003000aaaa03000000888e02"
        + "03005f02008b001000000000000000014ecb67d2893ae12fdac89eadd2ecb66e0137fb0c65eaf5d40929122c602345c8"
        + "000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000"
        + "0000"
    private static let secondProtected =
        "00000f002e00000000026c09a000dc08013a010200000002000200000001000200000002002000aaaa03000000888e01"
        + "03007b02010b00000000000000000001aa51b8670cfc9041b16418c9d25603a5eaa7e520d9a1127308a6021602ea9fb5"
        + "0000000000000000000000000000000000000000000000000000000000000000ca4561d92cafe81ddf7dad286af6a64c"
        + "001c301a0100000fac040100000fac040100000fac0680000000000fac06"

    private static func handshakes(_ frames: [String]) -> [FourWayHandshake] {
        FourWayHandshake.all(in: pcapng([("air-wifi", frames.compactMap { Hex.bytes($0.utf8) })]))
    }

    @Test(
        "The passphrase that the station used fits, and no other",
        arguments: [
            (first, second, "cinder fjord walnut"), (first, secondOfFirstWPA, "cinder fjord walnut"),
            (firstProtected, secondProtected, "00000200"),
        ])
    func passphrases(first: String, second: String, passphrase: String) throws {
        let handshakes = Self.handshakes([first, second, first, second])
        #expect(handshakes.count == 1, "told once")
        let handshake = try #require(handshakes.first)
        #expect(handshake.accessPoint == DeviceAddress("02:00:00:00:02:00"))
        #expect(handshake.station == DeviceAddress("02:00:00:00:01:00"))
        #expect(handshake.used(passphrase, ssid: "Lamp"))
        #expect(!handshake.used(passphrase + "1", ssid: "Lamp") && !handshake.used(passphrase, ssid: "lamp"))
    }

    @Test("Messages of different handshakes make none")
    func mixed() {
        #expect(Self.handshakes([Self.second, Self.first]).isEmpty, "in the wrong order")
        #expect(Self.handshakes([Self.first]).isEmpty)
        let later = Self.second.replacing("000000000000000179dd", with: "000000000000000279dd")
        #expect(Self.handshakes([Self.first, later]).isEmpty, "the answer to another first message")
    }

    @Test("Messages that are cut or changed anywhere are read without a trap, and fit no passphrase")
    func hostile() {
        guard let bytes = Hex.bytes(Self.second.utf8), let asked = Hex.bytes(Self.first.utf8) else {
            return #expect(Bool(false))
        }
        for count in bytes.indices {
            #expect(FourWayHandshake.all(in: pcapng([("air-wifi", [asked, Array(bytes.prefix(count))])])).isEmpty)
        }
        for index in bytes.indices {
            for value: UInt8 in [0, 0x7F, 0xFF] where bytes[index] != value {
                var changed = bytes
                changed[index] = value
                _ = FourWayHandshake.all(in: pcapng([("air-wifi", [asked, changed])]))
            }
        }
    }

    @Test("A master key is that of the standard (IEEE 802.11-2020, J.4.2)")
    func masterKey() {
        #expect(
            Hex.text(FourWayHandshake.masterKey(of: "password", ssid: "IEEE")).lowercased()
                == "f42c6fc52df0ebef9ebb4b90b38a5f902e83fe1b135a70e23aed762e9710a12e")
    }

    @Test(
        "AES-CMAC is that of RFC 4493, section 4",
        arguments: [
            ("6bc1bee22e409f96e93d7e117393172a", "070a16b46b4d4144f79bdd9dd04a287c"),
            (
                "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e5130c81c46a35ce411",
                "dfa66747de9ae63030ca32611497c827"
            ),
            (
                "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e5130c81c46a35ce411e5fbc1191a0a52ef"
                    + "f69f2445df4f9b17ad2b417be66c3710", "51f0bebf7e3b9d92fc49741779363cfe"
            ),
        ])
    func cmac(message: String, code: String) throws {
        let key = try #require(Hex.bytes("2b7e151628aed2a6abf7158809cf4f3c".utf8))
        let made = FourWayHandshake.cmac(key, try #require(Hex.bytes(message.utf8)))
        #expect(Hex.text(made).lowercased() == code)
    }
}

@Suite("The passphrases that a stranger tries")
struct PassphraseGuessesTests {
    @Test("What an accessory shows is tried, its ends, and what people add to it")
    func shown() throws {
        var guesses = PassphraseGuesses()
        guesses.add("Lamp 7")
        guesses.add(try #require(DeviceAddress("02:00:00:00:02:0A")))
        var data = AdvertisingData()
        data.name = "Lamp"
        data.manufacturerData = [0xFFFF: .init("SN123456".utf8)]
        guesses.add(data)
        let all = Set(guesses.all)
        for guess in [
            "12345678", "0000020A", "0000020a", "02000000020A", "SN123456", "sn123456", "Lamp7123", "LampLamp",
        ] {
            #expect(all.contains(guess), "\(guess)")
        }
        #expect(guesses.all.prefix(2) == ["12345678", "password"])
    }

    @Test("Each is a passphrase, tried once, and they stay few, whatever is shown")
    func form() {
        var guesses = PassphraseGuesses()
        for number in 0..<40 { guesses.add(String(repeating: "é\u{0}x\(number)", count: number)) }
        let all = guesses.all
        #expect(Set(all).count == all.count && all.count <= PassphraseGuesses.most)
        #expect(all.allSatisfy { (8...63).contains($0.utf8.count) && $0.utf8.allSatisfy { (32...126).contains($0) } })
    }
}
