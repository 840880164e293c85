// The scenario of the article “Your product's story”, which ArticleTests compares.

import HIL

extension Peripheral {
    /// The door lock, until its firmware is there: its service, its page, and its name in the home's network.
    static var doorLock: Peripheral {
        var lock = peripheral(
            named: "Door Lock",
            services: [
                .service(
                    "\(LockService.uuid)",
                    [
                        .characteristic("\(LockService.network)", [.write, .notify], needs: .authenticated)
                            .onWrite { try $0.peripheral.takeNetwork($1) },
                        .characteristic("\(LockService.door)", [.read, .notify], needs: .encrypted, value: [0]),
                    ])
            ])
        lock.ports = [.port(80, answers: Data("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nlocked".utf8))]
        lock.bonjour = [.service("Door Lock", type: LockService.bonjour, port: 80)]
        return lock
    }
}

extension RunningPeripheral {
    /// Takes the network that the app wrote, joins it, and notifies whether it has.
    func takeNetwork(_ value: Data) throws {
        let lines = String(decoding: value, as: UTF8.self).split(separator: "\n").map(String.init)
        guard lines.count == 2 else { throw AccessRefusal(0x80) }
        Task {
            let hasJoined = (try? await join(ssid: lines[0], passphrase: lines[1])) != nil
            try? await notify([hasJoined ? 1 : 0], of: "\(LockService.network)")
        }
    }
}

let lockMovesIn = Scenario(
    "A door lock goes from its box to its page in the home's network", .tags(.smoke, .pairing, .wifi),
    .covers("K1", "K11", "A1", "C4", "W8", "W9", "W13", "W21"), .needs(.homeRouter)
) { lab in
    let home = try await lab.homeNetwork.open()
    try await home.joinPhone()
    let lock = try await lab.accessory.powerOn(.doorLock)
    let app = try await lab.phone.launch(LockApp.self)

    lab.phone.person.will(.pick("Door Lock"), .confirmPasskey)
    let accessory = try await lab.step("pick and pair", within: .seconds(15)) { try await app.add() }
    lab.expect(accessory.state, equals: .authorized, "the app may use the lock")
    lab.expect(try await lock.events.next(.bonded).isAuthenticated, "both compared the number")

    try await lab.step("connect", within: .seconds(10)) { try await app.connect(accessory) }
    try await lab.step("give it the network", within: .seconds(30)) {
        try await app.giveNetwork(ssid: home.ssid, passphrase: home.passphrase)
    }
    lab.expect(try await lock.events.next(.joinedNetwork), equals: home.ssid, "the lock is at home")

    let page = try await lab.step("load its page", within: .seconds(20)) { try await app.loadPage() }
    lab.expect(page, equals: "locked", "the page comes from the lock")
    lab.expect(lab.phone.network.link?.ssid, equals: home.ssid, "over the home's network")
    lab.expect(
        lab.phone.shownScreens.map(\.kind).last, equals: .localNetworkPermission,
        "the person was asked for the local network")

    let door = EventLog<Bool>()
    try await lab.step("watch the door", within: .seconds(5)) { try await app.watchDoor { door.append($0) } }
    try await lock.notify([1], of: "\(LockService.door)")
    try await lab.step("hear of it", within: .seconds(5)) { try await door.next(.event(true)) }
    lab.expect(door.events, equals: [true], "the app hears that the door was opened, once")
}
