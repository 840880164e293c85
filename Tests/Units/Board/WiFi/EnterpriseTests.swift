import RadioModel
import Testing

@testable import HILWiFi

@Suite struct EnterpriseTests {
    static let server = EnterpriseServer(
        methods: [.peap, .ttls, .tls], certificate: [1, 2, 3], key: [4, 5], passwords: ["kim": "sword\nfish"],
        trusting: [[6], [7, 8, 9, 10]])

    @Test func hostapdGetsTheServer() throws {
        var server = Self.server
        #expect(throws: RadioError.self) { try EnterpriseFiles(server, path: "/run/hil/server-wlan0") }
        server.passwords = ["kim": "swordfish"]
        let files = try EnterpriseFiles(server, path: "/run/hil/server-wlan0")
        let contents = Dictionary(uniqueKeysWithValues: files.contents.map { ($0.ending, $0.text) })
        #expect(
            contents["users"] == """
                * PEAP,TTLS,TLS
                "kim" MSCHAPV2,TTLS-PAP,TTLS-CHAP,TTLS-MSCHAP,TTLS-MSCHAPV2 73776F726466697368 [2]

                """)
        #expect(contents["key"] == "-----BEGIN EC PRIVATE KEY-----\nBAU=\n-----END EC PRIVATE KEY-----\n")
        #expect(contents["ca"]?.contains("\nBg==\n") == true && contents["ca"]?.contains("\nBwgJCg==\n") == true)
        var configuration = try AccessPointConfiguration(
            interface: "wlan0", controlFolder: "/run", ssid: "a", security: .wpa2Enterprise, passphrase: nil)
        configuration.server = files
        #expect(configuration.text.contains("wpa_key_mgmt=WPA-EAP\nieee8021x=1\neap_server=1\n"))
        #expect(configuration.text.contains("server_cert=/run/hil/server-wlan0.crt\n"))
        #expect(!configuration.text.contains("swordfish"), "the passwords are in a file of their own")
    }

    /// A name or a password must not add a line to hostapd's file.
    @Test(arguments: ["", "a\"b", "a\nb", "*", String(repeating: "a", count: 256)])
    func refusesNamesThatHostapdCannotRead(user: String) {
        let server = EnterpriseServer(methods: [.peap], certificate: [1], key: [2], passwords: [user: "swordfish"])
        #expect(throws: RadioError.self) { try EnterpriseFiles(server, path: "/run/a") }
    }

    @Test func refusesServersThatNobodyCanUse() {
        #expect(throws: RadioError.self) {
            try EnterpriseFiles(EnterpriseServer(methods: [], certificate: [1], key: [2]), path: "/run/a")
        }
        #expect(throws: RadioError.self) {
            try EnterpriseFiles(EnterpriseServer(methods: [.tls], certificate: [1], key: [2]), path: "/run/a")
        }
    }

    @Test func supplicantGetsTheLogin() throws {
        var login = EnterpriseLogin(
            methods: [.ttls], user: "kim\"\n", password: "sword\nfish", trusting: [[1]],
            serverNames: ["a.example", "b.example"], outerIdentity: "anonymous", ttlsPassword: .pap)
        func settings() throws -> [String: String] {
            let credentials = WiFiCredentials(ssid: "Campus", security: .wpa2Enterprise, isHidden: true, login: login)
            let network = try SupplicantNetwork(credentials, files: LoginFiles(path: "/run/hil/login"))
            return Dictionary(uniqueKeysWithValues: network.settings.map { ($0.name, $0.value) })
        }
        let ttls = try settings()
        #expect(ttls["key_mgmt"] == "WPA-EAP WPA-EAP-SHA256" && ttls["eap"] == "TTLS" && ttls["scan_ssid"] == "1")
        #expect(ttls["identity"] == "6B696D220A" && ttls["password"] == "73776F72640A66697368", "bytes as digits")
        #expect(ttls["domain_match"] == "\"a.example;b.example\"" && ttls["phase2"] == "\"auth=PAP\"")
        #expect(ttls["ca_cert"] == "\"/run/hil/login.ca\"" && ttls["client_cert"] == nil)
        login.methods = [.tls]
        #expect(throws: RadioError.self) { try LoginFiles.contents(of: login) }
        (login.certificate, login.key) = ([1], [2])
        #expect(try LoginFiles.contents(of: login).map(\.ending) == ["ca", "crt", "key"])
        #expect(try settings()["private_key"] == "\"/run/hil/login.key\"")
        login.serverNames = ["a\" b"]
        #expect(throws: RadioError.self) { try LoginFiles.contents(of: login) }
        login.trustedCertificates = []
        #expect(throws: RadioError.self) { try LoginFiles.contents(of: login) }
        #expect(!"\(login)".contains("sword") && !"\(Self.server)".contains("sword"))
    }

    @Test func olderAndNewerSecurityOfAccessPoints() throws {
        func text(_ security: WiFiSecurity, _ passphrase: String? = "swordfish", unprotected: Bool = false) throws
            -> String
        {
            var configuration = try AccessPointConfiguration(
                interface: "wlan0", controlFolder: "/run", ssid: "a", security: security, passphrase: passphrase)
            configuration.lacksProtectedManagement = unprotected
            return configuration.text
        }
        #expect(try text(.wpa1).contains("wpa_pairwise=TKIP\nwpa=1\n"))
        #expect(try text(.wpa1wpa2).contains("wpa=3\nrsn_pairwise=CCMP\n"))
        #expect(try text(.enhancedOpen, nil).contains("wpa_key_mgmt=OWE\nieee80211w=2\n"))
        #expect(throws: RadioError.self) { try text(.enhancedOpen) }
        #expect(throws: RadioError.self) { try text(.wpa2Enterprise) }
        #expect(try text(.wpa3, unprotected: true).contains("wpa_key_mgmt=SAE\nieee80211w=0\n"))
        #expect(try text(.wpa2wpa3, unprotected: true).contains("wpa_key_mgmt=WPA-PSK SAE\nieee80211w=0\n"))
    }

    @Test func findsOlderAndNewerSecurityInTheElements() {
        let first: [UInt8] = [
            221, 22, 0, 0x50, 0xF2, 1, 1, 0, 0, 0x50, 0xF2, 2, 1, 0, 0, 0x50, 0xF2, 2, 1, 0, 0, 0x50, 0xF2, 2,
        ]
        let alone = InformationElements(first)
        #expect(alone.security(isPrivate: true) == .wpa1 && alone.usesTKIP)
        let both = InformationElements(ScanResultTests.rsnWPA2 + first)
        #expect(both.security(isPrivate: true) == .wpa1wpa2 && both.usesTKIP)
        var tkip = ScanResultTests.rsnWPA2
        tkip[7] = 2
        #expect(InformationElements(tkip).security(isPrivate: true) == .wpa2 && InformationElements(tkip).usesTKIP)
        #expect(!InformationElements(ScanResultTests.rsnWPA2).usesTKIP)
        var owe = ScanResultTests.rsnWPA2
        owe[19] = 18
        #expect(InformationElements(owe).security(isPrivate: true) == .enhancedOpen)
        var other = first
        other[23] = 1
        #expect(InformationElements(other).security(isPrivate: true) == nil, "the first WPA with 802.1X")
        for count in 0...first.count { _ = InformationElements(first.prefix(count)).security(isPrivate: true) }
    }
}
