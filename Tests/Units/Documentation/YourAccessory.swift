// The listings of the article "Your accessory", which ArticleTests compares.

import HIL

let lampIsDimmed = Scenario("A lamp as data is dimmed, and refuses a brightness above 100") { lab in
    let dimmed = Peripheral.Characteristic.characteristic("FF02", .write, needs: .authenticated)
        .onWrite { access, value in
            guard let percent = value.first, percent <= 100 else { throw AccessRefusal(0x80) }
            try await access.peripheral.notify([percent], of: "FF01")
        }
    let lamp = try await lab.accessory.powerOn(
        .peripheral(
            named: "Lamp 7",
            services: [.service("FF00", [.characteristic("FF01", [.read, .notify], value: [50]), dimmed])],
            pairing: .showsPasskey))
    // … the app picks it …
    lab.phone.person.will(.enterPasskey(try await lamp.events.next(.showsPasskey)))
    try await lamp.events.next(.bonded)
}

extension AccessoryProgram {
    static let lamp = AccessoryProgram(
        named: "lamp", files: "Accessory", packages: ["python3-dbus", "python3-gi"],
        command: ["python3", "lamp.py", "--name", "Lamp"], owns: [.wpaSupplicant], ready: .advertisement)
}

let lampIsSwitchedOn = Scenario("A lamp tells what it is told", .accessory(.lamp)) { lab in
    let lamp = try await lab.accessory.run(.lamp)
    try await lamp.send("on")
    try await lamp.prints("the light is on")
    let settings = try await lamp.fetch("settings.json")
    lab.expect(!settings.isEmpty, "its settings are kept")
    try await lamp.restart(grace: .zero)
}

let lampJoins = Scenario("A lamp joins the home's network", .accessory(.lamp), .needs(.homeNetwork)) { lab in
    let home = try await lab.homeNetwork.open(security: .wpa3)
    let lamp = try await lab.accessory.run(.lamp)
    try await lamp.send("join \(home.ssid) \(home.passphrase)")
    try await home.events.next(.joined, within: .seconds(30))
    let address = try await home.events.next(.gaveAddress)
    try await lamp.prints("online at \(address)")

    let mark = home.events.mark
    try await home.changePassphrase()
    try await home.events.next(.left, since: mark)
}

let lampIsFoundAtHome = Scenario("The phone loads the page of a lamp at home", .needs(.homeRouter)) { lab in
    let home = try await lab.homeNetwork.open()
    try await home.joinPhone()
    let page = Data("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\non".utf8)
    var declared = Peripheral.peripheral(named: "Lamp 7")
    declared.ports = [.port(80, answers: page)]
    declared.bonjour = [.service("Lamp 7", type: "_lamp._tcp", port: 80)]
    let lamp = try await lab.accessory.powerOn(declared)
    let link = try await lamp.join(ssid: home.ssid, passphrase: home.passphrase)
    let question = Data("GET / HTTP/1.1\r\n\r\n".utf8)
    let answer = try await lab.phone.network.exchange(question, with: link.address, port: 80)
    lab.expect(answer, equals: page, "its page loads over the home's network")
}

let stack = HostStack.hostStack(command: ["python3", "keyboard.py", "{socket}"], speaking: .unixSocket())

let keyboardIsHeard = Scenario(
    "A keyboard without a board is heard", .attaches(stack, named: "keyboard"), .withoutAccessoryBoard
) { lab in
    let keyboard = try await lab.air.hostStack("keyboard")
    try await keyboard.prints("ready")
    try await keyboard.send("press A")
}

let lampIsReset = Scenario("A lamp forgets the phone", .needs(.hook(.factoryReset))) { lab in
    let hooks = AccessoryHooks(
        factoryReset: .onRunner(["./reset-lamp"]), press: .onRunner(["./press"]), version: .onRunner(["./version"]))
    let lamp = lab.accessory.blackBox(named: "lamp", hooks: hooks)
    try await lamp.factoryReset()
    try await lamp.press()
}
