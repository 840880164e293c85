import BoardProtocol
import RigModel

/// Looks at a board of a bench without taking it, for `hil doctor --rig`.
package struct BoardCheck: Sendable {
    /// What is good or bad about a board.
    package struct Finding: Sendable, Hashable, Codable {
        package var isGood: Bool
        /// What was looked at and what was found, in a line.
        package var text: String
        /// The command or the act that mends it, or that would do good; nil if there is none.
        package var remedy: String?

        package init(_ isGood: Bool, _ text: String, remedy: String? = nil) {
            (self.isGood, self.text, self.remedy) = (isGood, text, remedy)
        }
    }

    /// Looks at a board.
    ///
    /// - Parameter role: What the board is to be.
    /// - Returns: Findings; a board that cannot be reached gives one.
    package static func look(at board: BoardAddress, as role: BoardRole) async -> [Finding] {
        do throws(RigFailure) {
            let line = try BoardLine(to: board)
            do throws(RigFailure) {
                let facts = try await line.open()
                let clock = line.clock
                await line.close()
                return findings(facts, clock, of: board, as: role)
            } catch {
                await line.close()
                throw error
            }
        } catch { return [Finding(false, error.reason, remedy: error.remedy)] }
    }

    /// What a board's facts mean. Pure.
    static func findings(
        _ facts: BoardFacts, _ clock: ClockEstimate, of board: BoardAddress, as role: BoardRole
    ) -> [Finding] {
        var findings = [
            Finding(true, "it can be reached, and has \(facts.system) on \(facts.machine)"),
            Finding(true, facts.versions.sorted { $0.key < $1.key }.map { "\($0) \($1)" }.joined(separator: ", ")),
            Finding(true, "its clock is off by \(clock.text), which is measured and needs no mending"),
        ]
        if let holder = facts.holder {
            findings.append(Finding(false, "\(holder) has it", remedy: "wait for that run, or end it"))
        }
        findings.append(
            facts.isLeftTaken
                ? Finding(
                    false, "a run has ended without giving it back",
                    remedy: "`ssh \(board) sudo \(LoginCommand.program) give-back`; the next run does it as well")
                : Finding(true, "no run has left anything changed"))
        findings.append(
            facts.missing.isEmpty
                ? Finding(true, "all programs are there")
                : Finding(
                    false, "it lacks \(facts.missing.joined(separator: ", "))",
                    remedy: "`hil bench prepare` installs them"))
        findings += radios(facts, role)
        if facts.country.isEmpty || facts.country == "00" {
            findings.append(
                Finding(
                    true, "no country is set for Wi-Fi, so 5 GHz and channels 12 and 13 are closed",
                    remedy:
                        "`sudo iw reg set DE` on the board, with your country; for good: cfg80211.ieee80211_regdom=DE in the kernel's command line"
                ))
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

    private static func radios(_ facts: BoardFacts, _ role: BoardRole) -> [Finding] {
        var findings: [Finding] = []
        for adapter in facts.adapters {
            let name = "Bluetooth adapter \(adapter.address) (\(adapter.name), \(adapter.bus))"
            findings.append(
                adapter.isBlocked
                    ? Finding(true, "\(name) is kept off by rfkill; a run lifts that, and puts it back")
                    : Finding(true, name + (adapter.isChosen ? "" : ", which runs leave alone")))
        }
        for radio in facts.radios {
            let bands = radio.bands.map { $0 == 2.4 ? "2.4" : "\(Int($0))" }.joined(separator: ", ")
            let name = "Wi-Fi \(radio.name) (\(radio.driver), \(bands) GHz)"
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
                    Finding(true, "\(radio.name) cannot listen beside its own traffic: captures hold HCI alone"))
            }
            if radio.sharesChip, !facts.adapters.isEmpty {
                findings.append(
                    Finding(
                        true,
                        "\(radio.name) may share its chip with Bluetooth: prefer a channel of 5 GHz, or a Bluetooth adapter on USB"
                    ))
            }
        }
        // What stands in the way of a run, in the words that it would use.
        for obstacle in facts.obstacles { findings.append(Finding(false, obstacle.reason, remedy: obstacle.remedy)) }
        return findings
    }
}
