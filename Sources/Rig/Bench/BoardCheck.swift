import BoardProtocol
import HILBluetoothHost
import RigModel

/// Checks a board of a bench without taking it, for `hil doctor --rig`.
package struct BoardCheck: Sendable {
    /// A good or bad property of a board.
    package struct Finding: Sendable, Hashable, Codable {
        package var isGood: Bool
        /// The check and its result, in one line.
        package var text: String
        /// The command or action that repairs or improves it; nil if there is none.
        package var remedy: String?

        package init(_ isGood: Bool, _ text: String, remedy: String? = nil) {
            (self.isGood, self.text, self.remedy) = (isGood, text, remedy)
        }
    }

    /// Checks a board.
    ///
    /// - Parameters:
    ///   - role: The intended role of the board.
    ///   - home: Whether the board is the home's router, or which of its interfaces is.
    /// - Returns: Findings; an unreachable board gives one.
    package static func look(
        at board: BoardAddress, as role: BoardRole, home: HomePart = .none
    ) async -> [Finding] {
        do throws(RigFailure) {
            let line = try BoardLine(to: board)
            do throws(RigFailure) {
                let facts = try await line.open()
                let clock = line.clock
                await line.close()
                return findings(facts, clock, of: board, as: role, home: home)
            } catch {
                await line.close()
                throw error
            }
        } catch { return [Finding(false, error.reason, remedy: error.remedy)] }
    }

    /// What a board is for the home.
    package enum HomePart: Sendable, Hashable {
        case none
        /// This interface is the home's router.
        case interface(String)
        /// Its chosen interface is the home's router.
        case board
    }

    /// Whether the credentials of a real network are there; its router is not looked at.
    package static func look(for network: String, in file: RealHomeFile = RealHomeFile()) -> Finding {
        do throws(RigFailure) {
            let home = try file.home(named: network)
            return Finding(true, "the credentials of “\(network)” (\(home.security.rawValue)) are in \(file.path)")
        } catch { return Finding(false, error.reason, remedy: error.remedy) }
    }

    /// The findings from a board's facts. Pure.
    static func findings(
        _ facts: BoardFacts, _ clock: ClockEstimate, of board: BoardAddress, as role: BoardRole,
        home: HomePart = .none
    ) -> [Finding] {
        var findings = [
            Finding(true, "it can be reached, and has \(facts.system) on \(facts.machine)"),
            Finding(true, facts.versions.sorted { $0.key < $1.key }.map { "\($0) \($1)" }.joined(separator: ", ")),
            Finding(true, "its clock is off by \(clock.text); runs measure that, so it needs no correction"),
        ]
        if let holder = facts.holder {
            findings.append(Finding(false, "\(holder) has it", remedy: "wait for that run, or end it"))
        }
        findings.append(
            facts.isLeftTaken
                ? Finding(
                    false, "a run has ended without giving it back",
                    remedy: "`ssh \(board) sudo \(LoginCommand.program) give-back`; the next run does that too")
                : Finding(true, "no run has left changes"))
        findings.append(
            facts.missing.isEmpty
                ? Finding(true, "all programs are installed")
                : Finding(
                    false, "it lacks \(facts.missing.joined(separator: ", "))",
                    remedy: "`hil bench prepare` installs them"))
        findings += radios(facts, role, home)
        if facts.country.isEmpty || facts.country == "00" {
            findings.append(
                Finding(
                    true, "no country is set for Wi-Fi, so 5 GHz and channels 12 and 13 are closed",
                    remedy:
                        "`sudo iw reg set DE` on the board, with your country; permanently: "
                        + "cfg80211.ieee80211_regdom=DE in the kernel's command line"))
        } else {
            findings.append(Finding(true, "its Wi-Fi obeys the rules of \(facts.country)"))
        }
        if !facts.services.isEmpty {
            findings.append(
                Finding(true, "a run stops \(facts.services.joined(separator: ", ")) and starts it again afterwards"))
        }
        findings.append(
            facts.freeDisk >= 32
                ? Finding(true, "/run has \(facts.freeDisk) MB left")
                : Finding(
                    false, "/run has only \(facts.freeDisk) MB left",
                    remedy: "free some: `sudo du -sh /run/*` on the board"))
        return findings
    }

    /// Whether a radio can be the home's router.
    private static func router(_ radio: BoardFacts.Radio) -> Finding {
        if radio.carriesLogin {
            return Finding(
                false, "\(radio.name) is the home's router, and the only connection to this machine",
                remedy: "connect the board by cable, or name another interface")
        }
        return radio.hasAccessPoint
            ? Finding(true, "\(radio.name) is the home's router")
            : Finding(
                false, "\(radio.name) cannot be an access point, so it cannot be the home's router",
                remedy: "use a radio whose `iw list` names AP")
    }

    /// What an adapter lacks for the phone's Bluetooth host. It does not stand in the way of a run.
    private static func phoneBluetooth(_ adapter: BoardFacts.Adapter) -> Finding {
        let what = "the phone's Bluetooth host"
        guard let abilities = adapter.abilities else {
            return Finding(
                true, "whether \(adapter.name) suits \(what) shows only while it is on and free",
                remedy: "`bluetoothctl power on` on the board, then `hil doctor` again")
        }
        var controller = ControllerInformation()
        controller.features = LEFeatures(rawValue: abilities.features)
        controller.states = LEStates(rawValue: abilities.states)
        let lacks = controller.lacks
        guard !lacks.isEmpty else { return Finding(true, "for \(what), \(adapter.name) has everything") }
        return Finding(
            true, "for \(what), \(adapter.name) lacks \(lacks.joined(separator: "; "))",
            remedy: "an adapter with Bluetooth 5 or later has more; without it, scenarios that need this differ")
    }

    private static func radios(_ facts: BoardFacts, _ role: BoardRole, _ home: HomePart) -> [Finding] {
        var findings: [Finding] = []
        for adapter in facts.adapters {
            let name = "Bluetooth adapter \(adapter.address) (\(adapter.name), \(adapter.bus))"
            findings.append(
                adapter.isBlocked
                    ? Finding(true, "\(name) is blocked by rfkill; a run lifts that, and restores it")
                    : Finding(true, name + (adapter.isChosen ? "" : ", which runs leave alone")))
            if role == .host, adapter.isChosen { findings.append(phoneBluetooth(adapter)) }
        }
        for radio in facts.radios {
            let bands = radio.bands.map { $0 == 2.4 ? "2.4" : "\(Int($0))" }.joined(separator: ", ")
            let name = "Wi-Fi \(radio.name) (\(radio.driver), \(bands) GHz)"
            if home == .interface(radio.name) || home == .board && radio.isChosen {
                findings += [Finding(true, name), router(radio)]
                continue
            }
            guard radio.isChosen else {
                findings.append(Finding(true, "\(name), which runs leave alone"))
                continue
            }
            findings.append(Finding(true, name))
            if role == .accessory, !radio.hasAccessPoint {
                findings.append(
                    Finding(
                        false, "\(radio.name) cannot be an access point", remedy: "use a radio whose `iw list` names AP"
                    ))
            }
            if !radio.hasMonitor {
                findings.append(
                    Finding(true, "\(radio.name) cannot listen beside its own traffic: captures have only HCI"))
            }
            if radio.sharesChip, !facts.adapters.isEmpty {
                findings.append(
                    Finding(
                        true,
                        "\(radio.name) may share its chip with Bluetooth: prefer a channel of 5 GHz, or a "
                            + "Bluetooth adapter on USB"))
            }
        }
        if case .interface(let name) = home, !facts.radios.contains(where: { $0.name == name }) {
            findings.append(
                Finding(false, "it has no Wi-Fi interface \(name) for the home's router", remedy: "plug it in"))
        }
        // The obstacles to a run, in its own words. Two radios are none if one is the home's.
        let isChoice = { (obstacle: KeeperFailure) in
            obstacle.reason.hasPrefix("it has several Wi-Fi radios") && facts.radios.filter(\.isChosen).count == 2
        }
        var hasHome = false
        if case .interface = home { hasHome = true }
        for obstacle in facts.obstacles where !(hasHome && isChoice(obstacle)) {
            findings.append(Finding(false, obstacle.reason, remedy: obstacle.remedy))
        }
        return findings
    }
}
