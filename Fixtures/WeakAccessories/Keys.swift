import CryptoKit
import HIL

// Lamps over Bumble that pair by a number. What is weak in each, `keys.py` says.

package let legacyPairing = Scenario.lamp("A lamp is set up that pairs by Secure Connections", "Legacy")
package let shortKeys = Scenario.lamp("A lamp is set up that makes keys of 16 bytes", "ShortKeys")
package let oneKeyPair = Scenario.lamp("A lamp is set up that makes a key pair for each pairing", "OneKeyPair")
package let debugKey = Scenario.lamp("A lamp is set up that knows the key of the debug mode", "DebugKey")
package let anyPoint = Scenario.lamp("A lamp is set up that checks public keys", "AnyPoint")
package let noPerson = Scenario.lamp("A lamp is set up by an act of a person", "NoPerson")
package let fixedPasskey = Scenario.lamp(
    "A lamp is set up by the number that it shows", "FixedPasskey", showsPasskey: true)
package let shortPasskey = Scenario.lamp(
    "A lamp is set up by a number of six digits", "ShortPasskey", showsPasskey: true)
package let countedPasskey = Scenario.lamp(
    "A lamp is set up by a number that nobody foresees", "CountedPasskey", showsPasskey: true)
package let toldPasskey = Scenario.lamp(
    "A lamp is set up by a number that only its display tells", "ToldPasskey", showsPasskey: true)
package let countedRandom = Scenario.lamp("A lamp is set up that draws numbers by chance", "CountedRandom")
package let stolenBond = Scenario.lamp("A lamp is set up that keeps its owner's bond", "StolenBond")
package let oneBond = Scenario.lamp("A lamp is set up that has room for several bonds", "OneBond")
package let addressIsKey = Scenario.lamp("A lamp is set up whose links are encrypted", "AddressIsKey")
package let serialName = Scenario.lamp("A lamp is set up that has a name of its kind", "SerialName")
package let publicAddress = Scenario.lamp("A lamp is set up that changes its address", "PublicAddress")
package let hiddenAttribute = Scenario.lamp("A lamp is set up that shows all its attributes", "HiddenAttribute")
package let repeatedCommands = Scenario.lamp(
    "A lamp is set up that obeys its owner's signature", "RepeatedCommands", signs: true)
package let repeatedSilentCommands = Scenario.lamp(
    "A lamp is set up that answers its owner's signature and any other alike", "RepeatedSilentCommands", signs: true)
package let keptValue = Scenario.lamp("A lamp is set up that forgets its brightness when it is reset", "KeptValue")
package let keptBonds = Scenario.lamp("A lamp is set up that can be reset", "KeptBonds")

extension Scenario {
    /// The set-up of a lamp over Bumble.
    ///
    /// - Parameter weakness: The name of a class in `keys.py`.
    fileprivate static func lamp(_ title: String, _ weakness: String, showsPasskey: Bool = false, signs: Bool = false)
        -> Scenario
    {
        Scenario(
            title,
            .audits(
                AuditExpectations(
                    signed: signs ? ["FF01"] : [], shows: .number,
                    accepting: ["pairing.guesses": "a number is for one attempt"],
                    reset: { lab in
                        let lamp = try lab.lamp()
                        let mark = lamp.lines.mark
                        try await lamp.send("reset")
                        try await lamp.prints("was reset", since: mark)
                    })),
            .withoutAccessoryBoard, over: Build.axis
        ) { lab, build in
            let lamp = try await lab.lamp(weakness, build)
            if showsPasskey { lab.enterPasskey(of: lamp) }
            try await lab.setUpLamp(
                named: weakness == "SerialName" && build == .weak ? "Lamp 4F2A19" : "Lamp",
                command: signs ? .signedCommand : Data([40]))
        }
    }
}

/// The lamp of this scenario's process.
@MainActor private var attached: HostStackHandle?

extension Lab {
    /// The lamp that is on.
    fileprivate func lamp() throws -> HostStackHandle { try require(attached, "the lamp is on") }

    /// Switches the lamp on, once.
    fileprivate func lamp(_ weakness: String, _ build: Build) async throws -> HostStackHandle {
        if let attached { return attached }
        let lamp = try await air.attach(
            .lamp(weakness, build, by: "keys.py"), named: "lamp")
        attached = lamp
        try await lamp.prints("advertising")
        return lamp
    }
}

extension Lab {
    /// Lets the person enter the number that the lamp shows once the phone pairs.
    fileprivate func enterPasskey(of lamp: HostStackHandle) {
        let mark = phone.log.mark
        Task {
            try await phone.log.next(.told("pickerSetupPairing"), since: mark)
            let place = lamp.lines.mark
            try await phone.shows(.passkeyEntry)
            let line = try await lamp.prints("passkey ", since: place)
            let digits = line.split(separator: " ").last.flatMap { UInt32($0) }
            phone.person.will(.enterPasskey(try require(digits, "the lamp shows a number")))
        }
    }
}

extension Data {
    /// A command with its owner's signature, another one each time.
    fileprivate static var signedCommand: Data {
        let milliseconds = UInt64(Date().timeIntervalSince1970 * 1000)
        let time = Data((0..<8).map { UInt8(truncatingIfNeeded: milliseconds >> (56 - 8 * $0)) })
        let code = HMAC<SHA256>.authenticationCode(for: time, using: SymmetricKey(data: Data("of the owner".utf8)))
        return time + Data(code)
    }
}
