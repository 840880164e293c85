import Foundation
import HIL
import HILRecord
import StubRig
import TestSupport
import Testing

/// Whether all weak accessories are audited, which takes minutes.
private let isLong = ProcessInfo.processInfo.environment["HIL_TRIALS"] != nil

/// Audits on virtual boards.
@Suite(.serialized)
struct AuditTests {
    /// - Parameter program: The words before `audit`: those of the weak accessories, or `hil` for the scenarios of hil.
    private static func audit(
        _ words: [String], by program: [String] = ["hil-trials", "weak-accessories"]
    ) async throws -> (code: Int32?, record: RunRecord, folder: String) {
        let folder = NSTemporaryDirectory() + "hil-audit-\(UUID().uuidString)"
        let (status, record) = try await RunnerProcess(
            program[0], program.dropFirst() + ["audit", "--format", "json", "--out", folder] + words
        ).end()
        guard case .exited(let code) = status else { return (nil, record, folder) }
        return (code, record, folder)
    }

    private typealias Twins = (scenario: String, control: String, told: String)

    /// A few of each family.
    private static let brief: [Twins] = [
        ("openBrightness", "access.matrix", "a stranger without a key can read FF01, write FF01"),
        ("legacyPairing", "pairing.legacy", "it pairs by legacy pairing"),
        ("fixedPasskey", "pairing.fixedNumber", "its number is always 271828"),
        ("openNetwork", "wifi.open", "its network “Lamp” is open"),
        ("plainCredentials", "wifi.credentials", "the home's passphrase was in the clear on the air"),
        ("keptBonds", "life.reset", "after a factory reset the key of the owner before still works"),
    ]
    private static let others: [Twins] = [
        ("publishedKey", "access.matrix", "a stranger without a key can read FF31"),
        ("stolenBond", "pairing.ownersBond", "a stranger who says that it is"),
        ("repeatedCommands", "access.replay", "a stranger who repeats what its owner wrote is obeyed: 40 bytes"),
        ("hiddenAttribute", "access.hidden", "handle 0x0011 answers"),
        ("serialName", "air.name", "its name “Lamp 4F2A19” tells a single device"),
        ("silentPairing", "pairing.capabilities", "it says NoInputNoOutput"),
        ("shortKeys", "pairing.keySize", "it takes a key of 7 bytes"),
        ("oneKeyPair", "pairing.reflectedKey", "it uses one key pair for all pairings"),
        ("debugKey", "pairing.debugKey", "it takes the public key of the debug mode"),
        ("anyPoint", "pairing.invalidKey", "it goes on with a public key that is no point of the curve"),
        ("noPerson", "pairing.withoutPerson", "a stranger who says that it has no screen pairs"),
        ("noPerson", "pairing.whenSetUp", "a stranger pairs with it although it is set up"),
        ("noPerson", "access.matrix", "a stranger who paired without a number can read FF01, write FF01"),
        ("shortPasskey", "pairing.shortNumber", "its numbers are all below 10000"),
        ("countedPasskey", "pairing.predictableNumber", "its numbers grow by 1 each time"),
        ("toldPasskey", "air.data", "its advertisement has the number that it shows for pairing"),
        ("oneBond", "pairing.ownersBond", "another phone that pairs ends the bond of its owner"),
        ("keptValue", "life.reset", "a factory reset leaves what its owner wrote: the next owner reads it in FF01"),
        ("printedPassphrase", "wifi.passphrase", "the passphrase of its network “Lamp” is HT77-204-1138"),
        ("countedRandom", "pairing.predictableNumber", "the random values from which its numbers are made grow"),
        ("addressIsKey", "access.reconnection", "on a new link without encryption"),
        ("publicAddress", "air.privateAddress", "its address"),
        ("followedLamp", "air.privateAddress", "its address 02:00:00:00:02:B0 is public"),
        ("needlessKeys", "pairing.withoutPerson", "a stranger who says that it has no screen pairs"),
        ("keptBonds", "life.owners", "the key of the owner before still works for the next owner's accessory"),
        ("longValue", "robustness.lengths", "lamp was ended by signal 6"),
        ("preparedQueue", "robustness.longWrites", "lamp was ended by signal 6"),
        ("silentAfterStranger", "robustness.connections", "it no longer advertises, after 2 links"),
        ("oneLink", "robustness.occupied", "a stranger who does nothing can keep all its links"),
        ("pastTheEnd", "robustness.advertisements", "lamp was ended by signal 6"),
        ("longPath", "robustness.ports", "the program “page” was ended by signal 11"),
        ("oldCipher", "wifi.security", "its network “Lamp” takes TKIP"),
        ("unprotectedFrames", "wifi.protectedFrames", "anybody can send stations of its network “Lamp” away"),
        ("setupButton", "wifi.wps", "its network “Lamp” offers Wi-Fi Protected Setup"),
        ("derivedPassphrase", "wifi.passphrase", "the passphrase of its network “Lamp” is 00000200"),
        ("defaultPassphrase", "wifi.passphrase", "the passphrase of its network “Lamp” is 12345678"),
        ("guestsMeet", "wifi.isolation", "stations of its network “Lamp” reach each other"),
        ("developersPort", "wifi.services", "in “Home” it opens TCP 23023, which the team does not name"),
        ("oldTLS", "wifi.tls", "its port 443 takes TLS 1.0"),
        ("anyServer", "wifi.certificates", "it spoke TLS at port 8883 with a server"),
    ]

    @Test(
        "The weakness of an accessory is found, and its hardened twin holds",
        arguments: isLong ? AuditTests.brief + AuditTests.others : AuditTests.brief)
    func twins(scenario: String, control: String, told: String) async throws {
        let twins = ["weak", "hardened"].map { "\(scenario)[accessory=\($0)]" }
        let (code, record, folder) = try await Self.audit(twins + ["--only", control])
        defer { try? FileManager.default.removeItem(atPath: folder) }
        #expect(code == 1)
        let names = ["weak", "hardened"].map { "\(scenario)~\(control)[accessory=\($0)]" }
        let judgements = try names.map { name in
            try #require(record[name]?.result?.judgement, "\(record.entries.map(\.info.identifier))")
        }
        #expect(judgements.map(\.verdict) == [.failed, .passed], "\(judgements)")
        let cause = judgements[0].cause?.message ?? ""
        #expect(cause.contains("breached: \(told)"), "\(cause)")
        #expect(record[names[0]]?.info.replay.contains("audit '\(twins[0])' --only \(control)") == true)
    }

    @Test(
        "Of an accessory that answers every command alike it is said that nothing shows whether it obeys, unless it does obey",
        arguments: [
            ("weak", Verdict.failed, "is obeyed: 40 bytes"), ("hardened", .skipped, "nothing shows whether it obeyed"),
        ])
    func silent(build: String, verdict: Verdict, told: String) async throws {
        let (_, record, folder) = try await Self.audit([
            "repeatedSilentCommands[accessory=\(build)]", "--only", "access.replay",
        ])
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let judgement = try #require(
            record["repeatedSilentCommands~access.replay[accessory=\(build)]"]?.result?.judgement)
        #expect(judgement.verdict == verdict, "\(judgement)")
        let text = judgement.cause?.message ?? judgement.reason ?? ""
        #expect(text.contains(told), "\(judgement)")
    }

    @Test("A person who is asked whether to pair has agreed: pairing without a number is an act of theirs then")
    func consent() async throws {
        let name = "followedLamp[accessory=hardened]"
        let (_, record, folder) = try await Self.audit([name, "--only", "pairing.withoutPerson"])
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let judgement = record["followedLamp~pairing.withoutPerson[accessory=hardened]"]?.result?.judgement
        #expect(judgement?.verdict == .passed, "\(String(describing: judgement))")
    }

    /// What the test reads of `audit.json`.
    private struct Report: Decodable {
        struct Note: Decodable {
            let text: String
            let frames: [Int]
        }
        struct Check: Decodable {
            let control, verdict: String
            let reason, instead, replay, evidence: String?
            let clauses: [String]
            let story: [Note]
            let matrix: AuditMatrix?
        }
        struct Target: Decodable {
            let scenario: String
            let digests: [String: String]
            let checks: [Check]
        }
        let isComplete: Bool
        let targets: [Target]
    }

    @Test(
        "The reports of an audit tell breaches, what is accepted and what is out of reach, with the frames of the attack"
    )
    @MainActor
    func reports() async throws {
        let copy = NSTemporaryDirectory() + "hil-audit-\(UUID().uuidString).json"
        let (code, record, folder) = try await Self.audit([
            "openBrightness[accessory=weak]", "acceptedBrightness", "--only", "access.matrix,access.injection",
            "--json", copy,
        ])
        defer { for path in [folder, copy] { try? FileManager.default.removeItem(atPath: path) } }
        #expect(code == 1)
        let run = try #require(record.info?.folder)
        let content = try #require(FileManager.default.contents(atPath: "\(run)/audit.json"))
        #expect(FileManager.default.contents(atPath: copy) == content)
        let report = try JSONDecoder().decode(Report.self, from: content)
        #expect(report.isComplete)
        #expect(report.targets.map(\.scenario) == ["openBrightness[accessory=weak]", "acceptedBrightness"])
        func check(_ control: String, of target: Int) throws -> Report.Check {
            try #require(report.targets[target].checks.first { $0.control == control })
        }
        let breach = try check("access.matrix", of: 0)
        #expect(breach.verdict == "breached" && breach.clauses.contains("BSAM SE-03"))
        #expect(breach.reason?.hasPrefix("a stranger without a key can read FF01, write FF01") == true)
        #expect(breach.replay?.contains("audit 'openBrightness[accessory=weak]' --only access.matrix") == true)
        let cell = breach.matrix?.rows.first { $0.characteristic == "FF01" }?.cells[.nobody]?[.write]
        #expect(cell == AuditMatrix.Cell(.yes, expected: false))
        #expect(try report.targets[0].digests.values.allSatisfy { try $0.wholeMatch(of: Regex("[0-9A-F]{64}")) != nil })
        let accepted = try check("access.matrix", of: 1)
        #expect(accepted.verdict == "accepted" && accepted.reason?.hasSuffix("because the lamp hangs outside") == true)
        #expect(try check("access.injection", of: 0).verdict == "outOfReach")
        #expect(try check("air.modes", of: 0).verdict == "notChecked")
        // The stranger's write is among the packets that the report names.
        let evidence = try #require(breach.evidence)
        let capture = [UInt8](FileManager.default.contents(atPath: "\(run)/\(evidence)/capture.pcapng") ?? Data())
        let packets = Array(PcapNGPackets(capture))
        let frames = breach.story.flatMap(\.frames)
        #expect(!frames.isEmpty && frames.allSatisfy { packets.indices.contains($0 - 1) })
        #expect(frames.contains { packets[$0 - 1].bytes.dropFirst(13).first == 0x12 }, "\(frames)")
        let summary = try String(contentsOfFile: "\(run)/summary.md", encoding: .utf8)
        #expect(summary.contains("### Audit") && summary.contains("| accepted | access\\.matrix"))
        try await look(at: "\(run)/index.html")
    }

    @MainActor
    private func look(at page: String) async throws {
        guard HeadlessBrowser.isWanted else { return }
        let browser = try await HeadlessBrowser()
        do {
            try await browser.open(
                URL(fileURLWithPath: page).absoluteString, until: "document.documentElement.dataset.ready")
            let verdicts =
                "[...document.querySelectorAll('.audit-table tr[data-outcome]')].map((row) => row.dataset.outcome).join()"
            let shown = try await browser.text(verdicts)
            #expect(shown.hasPrefix("breached,outOfReach,") && shown.contains("accepted"), "\(shown)")
            #expect(try await browser.text("document.querySelectorAll('[data-look=open]').length") != "0")
            #expect(browser.complaints == [])
        } catch {
            await browser.close()
            throw error
        }
        await browser.close()
    }

    @Test(
        "Packets that bring an accessory down are found, and the shortest list that does it; its hardened twin survives",
        arguments: [
            ("longValue", "robustness.attributes", "Write", 3000),
            ("emptyValue", "robustness.attributes", "Write", 6000),
            ("zeroCredits", "robustness.channels", "LE Credit Based Connection Request", 3000),
            ("shortKey", "robustness.security", "Pairing Public Key", 3000),
        ].prefix(isLong ? 4 : 1))
    func packets(scenario: String, control: String, name: String, count: Int) async throws {
        for build in ["weak", "hardened"] {
            let kept = NSTemporaryDirectory() + "hil-kept-\(UUID().uuidString)"
            let (_, record, folder) = try await Self.audit([
                "\(scenario)[accessory=\(build)]", "--only", control, "--packets", "\(count)", "--keep", kept,
            ])
            defer { for path in [kept, folder] { try? FileManager.default.removeItem(atPath: path) } }
            let check = "\(scenario)~\(control)[accessory=\(build)]"
            let judgement = try #require(record[check]?.result?.judgement, "\(record.entries.map(\.info.identifier))")
            #expect(judgement.verdict == (build == "weak" ? .failed : .passed), "\(String(describing: judgement))")
            let files = (try? FileManager.default.contentsOfDirectory(atPath: kept)) ?? []
            #expect(files.count == (build == "weak" ? 1 : 0))
            guard let file = files.first else { continue }
            let lines = judgement.cause?.message.split(separator: "\n") ?? []
            #expect(lines.dropFirst().first == "one packet does it:", "\(lines)")
            #expect(lines.last?.contains(name) == true, "\(lines)")
            let source = try String(contentsOfFile: "\(kept)/\(file)", encoding: .utf8)
            #expect(source.contains("attacking: \(scenario), where: \"accessory=weak\""), "\(source)")
        }
    }

    /// An accessory that is named, a control, and what comes of it.
    private typealias Named = (accessory: String, control: String, verdict: Verdict, told: String?)

    @Test("A program, an accessory as data and a host stack are audited by their names, without a scenario of theirs")
    func named() async throws {
        let audits: [Named] = [
            (".openLamp", "access.matrix", .failed, "breached: a stranger without a key can read FF01, write FF01"),
            (".legacyLamp", "pairing.legacy", .failed, "breached: it pairs by legacy pairing"),
            (".lock", "access.hidden", .passed, nil), (".lock", "wifi.open", .skipped, "audit a scenario whose app"),
        ]
        let folder = NSTemporaryDirectory() + "hil-audit-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        for accessory in Set(audits.map(\.accessory)).sorted() {
            let asked = audits.filter { $0.accessory == accessory }
            let only = asked.map(\.control).joined(separator: ",")
            let (_, record, _) = try await Self.audit([accessory, "--only", only, "--out", folder])
            for audit in asked {
                let name = "\(accessory)~\(audit.control)"
                let result = try #require(record[name]?.result, "\(record.entries.map(\.info.identifier))")
                #expect(result.judgement.verdict == audit.verdict, "\(result.judgement)")
                let told = result.judgement.cause?.message ?? result.judgement.reason ?? ""
                if let words = audit.told { #expect(told.contains(words), "\(told)") }
                #expect(record[name]?.info.replay.contains("audit \(accessory) --only \(audit.control)") == true)
            }
        }
    }

    @Test("The phone of hil itself: what its app publishes is open, and nothing else; strangers' packets do it no harm")
    func phone() async throws {
        let controls = isLong ? "pairing,access,air,robustness" : "access.matrix,pairing.legacy,robustness.security"
        let (code, record, folder) = try await Self.audit(
            [
                "phoneStaysAPeripheral", "--only", controls, "--packets", isLong ? "10000" : "500",
            ], by: ["hil"])
        defer { try? FileManager.default.removeItem(atPath: folder) }
        #expect(code == 0, "\(record.entries.compactMap { $0.result?.judgement.cause })")
        let passed = record.entries.filter { $0.result?.judgement.verdict == .passed }.map(\.info.identifier)
        for control in ["access.matrix", "pairing.legacy", "robustness.security"] {
            #expect(passed.contains("phoneStaysAPeripheral~\(control)"), "\(passed)")
        }
        let run = try #require(record.info?.folder)
        let content = try #require(FileManager.default.contents(atPath: "\(run)/audit.json"))
        let report = try JSONDecoder().decode(Report.self, from: content)
        let checks = report.targets.flatMap(\.checks).filter { $0.verdict == "accepted" }
        #expect(checks.contains { $0.control == "pairing.legacy" }, "the phone pairs by it, once its person agrees")
    }

    @Test("A kept list of packets fails until the accessory is mended")
    func kept() async throws {
        for (name, verdict) in [
            ("longValueAccessoryWeakRobustnessAttributes", Verdict.failed), ("longValueIsMended", .passed),
        ] {
            let folder = NSTemporaryDirectory() + "hil-audit-\(UUID().uuidString)"
            defer { try? FileManager.default.removeItem(atPath: folder) }
            let (_, record) = try await RunnerProcess(
                "hil-trials", ["weak-accessories", "run", "--format", "json", "--out", folder, name]
            ).end()
            let judgement = try #require(record[name]?.result?.judgement)
            #expect(judgement.verdict == verdict, "\(String(describing: judgement))")
        }
    }
}
