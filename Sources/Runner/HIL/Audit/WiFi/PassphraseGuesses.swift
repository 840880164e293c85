import RadioModel

/// The passphrases that a stranger tries: well-known defaults, and what follows from what the accessory shows to everybody.
struct PassphraseGuesses {
    /// What the accessory shows: its names, its addresses, the texts and numbers in its advertisements and in the values that
    /// anybody can read.
    private(set) var shown: [String] = []

    /// The most that are tried. A stranger on the way past has not more time.
    static let most = 2000

    /// Adds a text that the accessory shows.
    mutating func add(_ text: String) {
        let text = text.filter { $0.asciiValue.map { (33...126).contains($0) } ?? false }
        if !text.isEmpty, !shown.contains(text) { shown.append(text) }
    }

    /// Adds an address that it shows.
    mutating func add(_ address: DeviceAddress) {
        add("\(address)")
        add(Hex.text(address.bytes))
    }

    /// Adds what an advertisement shows.
    mutating func add(_ data: AdvertisingData) {
        if let name = data.name { add(name) }
        for bytes in Array(data.manufacturerData.values) + Array(data.serviceData.values) where !bytes.isEmpty {
            add(Array(bytes))
        }
    }

    /// Adds bytes that it shows: as a text, and in hexadecimal.
    mutating func add(_ bytes: [UInt8]) {
        add(Hex.text(bytes))
        guard let text = String(validating: bytes, as: UTF8.self) else { return }
        add(text)
        // `HT-204-1138` is also written without its dashes.
        add(text.filter { $0.isLetter || $0.isNumber })
    }

    /// The defaults of many products, most common first.
    static let defaults = [
        "12345678", "password", "123456789", "1234567890", "00000000", "11111111", "88888888", "87654321", "admin123",
        "adminadmin", "administrator", "password1", "password123", "passw0rd", "qwertyuiop", "qwerty123", "0123456789",
        "01234567", "11223344", "12341234", "1234567a", "a1234567", "a12345678", "abcd1234", "abcdefgh", "asdfghjkl",
        "changeme", "default1", "defaultpassword", "espressif", "guest123", "guestguest", "home1234", "internet",
        "letmein1", "mypassword", "raspberry", "secret123", "setup123", "smarthome", "test1234", "testtest", "welcome1",
        "wifi1234", "wifipassword", "wireless", "66666666", "99999999", "22222222", "55555555",
    ]

    /// What is tried, most likely first, without repetitions: 8 to 63 characters each.
    var all: [String] {
        var known: Set<String> = []
        let candidates = (Self.defaults.prefix(8) + derived + Self.defaults.dropFirst(8)).filter {
            (8...63).contains($0.utf8.count) && known.insert($0).inserted
        }
        return Array(candidates.prefix(Self.most))
    }

    private var derived: [String] {
        let forms = shown.flatMap { text in
            [text, text.lowercased(), text.uppercased(), String(text.reversed())]
        }
        let plain =
            forms + forms.flatMap { text in [8, 10, 12].map { String(text.suffix($0)) } + [String(text.prefix(8))] }
        let endings = [
            "1", "12", "123", "1234", "12345", "123456", "12345678", "0000", "00000000", "2024", "2025", "2026", "!",
        ]
        let longer = forms.flatMap { text in endings.map { text + $0 } + [text + text] }
        let pairs = shown.flatMap { one in shown.filter { $0 != one }.flatMap { [one + $0, one + "-" + $0] } }
        return plain + longer + pairs.prefix(200)
    }
}
