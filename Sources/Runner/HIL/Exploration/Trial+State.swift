import BoardProtocol
import HILPOSIX
import HILPhone
import HILRecord
import RigModel
import Synchronization

// What phone, app and accessory have at the end, and what of it stays.
extension Trial {
    /// How often it is looked at most, and how long after one another: it takes a while until everybody knows of a bond, or of
    /// its end. An accessory's bluetoothd learns it from the kernel.
    private static let looks = (most: 30, interval: Duration.milliseconds(100))
    /// In how many looks in a row what stays must be the same, where it is not known what usually stays.
    private static let steadyLooks = 3

    /// Looks at the state, checks the promises, and lets the person remove the accessory. For a journey without a fault it also
    /// says what cannot be tried.
    func look() async {
        do {
            if order.cell == nil { note.unavailable = try await TrialFault.unavailable(in: lab) }
            note.state = try await facts(settlingTo: order.usual) { seen in
                let last = seen[seen.count - 1]
                return last[.accessoryBonds].map { $0 == last[.phoneBonds] } ?? true
            }
            await checkPromises()
            await lab.removeAccessories()
            note.leftovers = try await facts(settlingTo: order.usuallyLeft) { seen in
                // An accessory may keep its bond for good.
                let latest = seen.suffix(Trial.steadyLooks)
                return seen.last?[.accessoryBonds] == nil || latest.count == Trial.steadyLooks && Set(latest).count == 1
            }
        } catch { lab.recorder.record(.failure(Failure(.rig, "looking at the state: \(Failure(error).message)"))) }
    }

    /// What there is, as soon as it is as usual. If it is not soon, it is what it is.
    ///
    /// - Parameter isSettled: Says of all that was seen so far, oldest first, whether that is enough, if nobody knows what is
    ///   usual.
    private func facts(
        settlingTo usual: [TrialFact: ClosedRange<Int>], or isSettled: ([[TrialFact: Int]]) -> Bool
    ) async throws -> [TrialFact: Int] {
        var seen: [[TrialFact: Int]] = []
        while true {
            let facts = try await facts()
            seen.append(facts)
            let isAsUsual = usual.allSatisfy { fact, range in facts[fact].map(range.contains) ?? true }
            if usual.isEmpty ? isSettled(seen) : isAsUsual { return facts }
            guard seen.count < Trial.looks.most else { return facts }
            try await lab.clock.sleep(for: Trial.looks.interval)
        }
    }

    private func facts() async throws -> [TrialFact: Int] {
        var facts: [TrialFact: Int] = [
            .phoneBonds: await lab.phone.bondedDevices.count, .accessories: lab.phone.store.everything.count,
            .networks: lab.phone.network.configured.count, .phoneNetwork: lab.phone.network.link == nil ? 0 : 1,
        ]
        let connection = lab.rig.connection
        guard connection.absence == nil, connection.description.has(.accessoryBoard) else { return facts }
        let health = try await lab.rig.health(of: connection.accessory)
        facts[.accessoryBonds] = health.bonds.count
        facts[.accessoryNetworks] = health.networks.count
        return facts
    }

    private func checkPromises() async {
        for promise in scenario.traits.exploration.promises {
            switch promise.kind {
            case .oneBondAtBothEnds:
                let (phone, accessory) = (note.state[.phoneBonds] ?? 0, note.state[.accessoryBonds] ?? 0)
                guard phone != accessory || phone > 1 else { continue }
                let seen = "the phone has \(phone), and the accessory \(accessory)"
                note.broken.append(
                    "it does not hold that there is \(promise.text), or none at both\(TrialNote.seen)\(seen)")
            case .secret(let secret):
                do {
                    let text = try await secret(lab)
                    if !text.isEmpty { try await look(for: text, promise.text) }
                } catch { note.broken.append("\(promise.text) could not be looked for: \(error)") }
            case .custom(let holds): await check(promise.text, holds)
            }
        }
    }

    /// Checks a promise of the scenario. What it notes meanwhile is what it saw.
    private func check(_ promise: String, _ holds: @MainActor @Sendable (Lab) async throws -> Bool) async {
        let noted = TakenNotes()
        lab.recorder.onNote { noted.add($0) }
        defer { lab.recorder.onNote(nil) }
        var seen = "the scenario's check returned false"
        do { if try await holds(lab) { return } } catch {
            seen = "the scenario's check failed: \(Failure(error).message)"
        }
        let notes = noted.all.map { ", and noted “\($0)”" }.joined()
        note.broken.append("it does not hold that \(promise)\(TrialNote.seen)\(seen)\(notes)")
    }

    private func look(for secret: String, _ name: String) async throws {
        let file = try await lab.rig.connection.capture?.soFar() ?? []
        note.leaks += lab.leaks(of: secret, named: name, on: ClearText(file))
    }
}

/// The notes of a scenario while a promise is checked.
private final class TakenNotes: Sendable {
    private static let most = 3
    private let notes = Mutex<[String]>([])

    var all: [String] { notes.withLock { $0 } }

    func add(_ text: String) {
        notes.withLock { if $0.count < TakenNotes.most { $0.append(PlainText.line(PlainText.cut(text, to: 200))) } }
    }
}
