import HIL

extension AccessoryProgram {
    /// Joins the network that its input names, by wpa_supplicant and udhcpc: a line with the name, one with the
    /// passphrase.
    fileprivate static let joiner = AccessoryProgram(
        named: "joiner", files: "Tests/Programs/Trials/BoardPrograms/Accessory", command: ["./joiner.sh"],
        owns: [.wpaSupplicant])
}

let homeIsJoined = Scenario(
    "A program joins a home's network with wpa_supplicant, gets an address, and is refused with another passphrase",
    .needs(.homeNetwork), over: Axis("security", [WiFiSecurity.wpa2, .wpa3])
) { lab, security in
    let home = try await lab.homeNetwork.open(ssid: "Home", security: security)
    let joiner = try await lab.accessory.run(.joiner)
    try await joiner.send("\(home.ssid)\nnot the passphrase")
    if security == .wpa2 {
        try await home.events.next(.refused, within: .seconds(30))
    } else {
        try await joiner.prints("CTRL-EVENT-AUTH-REJECT", within: .seconds(30))
    }
    lab.expect(home.events.all(.joined).isEmpty, "it does not join with another passphrase")

    try await joiner.restart(grace: .zero)
    try await joiner.send("\(home.ssid)\n\(home.passphrase)")
    let station = try await home.events.next(.joined, within: .seconds(30))
    let address = try await home.events.next(.gaveAddress, within: .seconds(10))
    try await joiner.prints("address \(address)", within: .seconds(20))
    try await joiner.prints("the router answers", within: .seconds(20))

    let mark = home.events.mark
    try await home.changePassphrase()
    lab.expect(try await home.events.next(.left, since: mark), equals: station, "it is disconnected")
    try await home.close()
    try await home.open(ssid: "Home", passphrase: "another network")
    lab.expect(home.passphrase, equals: "another network", "a network can be opened again")
}
