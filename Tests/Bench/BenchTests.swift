import Foundation
import HILExecution
import HILPOSIX
import StockBench
import StubRig
import TestSupport
import Testing

/// How often something of a run on the bench is killed: `HIL_BENCH_KILLS`.
private let killCount = ProcessInfo.processInfo.environment["HIL_BENCH_KILLS"].flatMap { Int($0) } ?? 1
/// Whether all that goes wrong on benches is tried: `HIL_BENCH_BAD_LUCK=1`.
private let hasBadLuck = ProcessInfo.processInfo.environment["HIL_BENCH_BAD_LUCK"] == "1"
/// Whether there is time for what takes minutes: `HIL_TRIALS=1`.
private let isLong = ProcessInfo.processInfo.environment["HIL_TRIALS"] != nil
private let isAskedFor = ProcessInfo.processInfo.environment["HIL_TESTS"] == "all"

/// Boards with stock services that are reached by SSH alone, as a Raspberry Pi would be.
///
/// The limit is for the longest of them, fifty kills.
@Suite(
    .serialized,
    .enabled(if: isAskedFor && StockBench.isPossible, "it builds a disk as root and boots it: run `make check`"),
    .timeLimit(.minutes(150)))
struct BenchTests {
    private static let rig = ["--rig", "\(StockBench.host),\(StockBench.accessory)"]
    private static let boards = [StockBench.host, StockBench.accessory]

    /// One bench for all tests, in their order; the boards are switched off when this process ends.
    private static let shared = Task { try await StockBench.start() }

    /// Preparing takes half a minute, on emulated boards two: once for all tests.
    private static let preparation = Task {
        let bench = try await shared.value
        return (bench, try await bench.hil(["bench", "prepare"] + boards))
    }

    /// The bench, with both boards prepared.
    private func prepared() async throws -> StockBench {
        let (bench, (output, code)) = try await Self.preparation.value
        #expect(code == 0, "\(output)")
        return bench
    }

    private func withResults(_ body: (String) async throws -> Void) async throws {
        let results = NSTemporaryDirectory() + "hil-bench-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: results) }
        try await body(results)
    }

    @Test("Boards that nobody has prepared are refused, with what to do")
    func unprepared() async throws {
        let bench = try await Self.shared.value
        try await withResults { results in
            let refused = try await bench.hil(["run"] + Self.rig + ["--out", results, "personCancels"])
            #expect(refused.code == 2)
            #expect(refused.output.contains("it was not prepared — run `hil bench prepare` for it"))
        }
    }

    @Test("Boards with stock services run scenarios, and are as they were afterwards")
    func runs() async throws {
        let bench = try await prepared()
        try await withResults { try await runsAndGivesBack(bench, $0) }
    }

    @Test("A device that nobody logs in to is met and recorded beside a host board")
    func device() async throws {
        let bench = try await prepared()
        try await withResults { try await meetsDevice(bench, $0) }
    }

    @Test("The phone's Bluetooth host has the host board's adapter, which is as it was, also after a kill")
    func lentAdapter() async throws {
        let bench = try await prepared()
        try await withResults { try await lendsAdapter(bench, $0) }
    }

    /// `make check` audits the device on the desk.
    @Test(
        "Strangers find what is weak in an accessory, spare its twin, and reach its address alone",
        .enabled(if: isLong, "`make test-long` has it"))
    func audits() async throws {
        let bench = try await prepared()
        let before = try await states(bench)
        try await withResults { results in
            let audited = AuditedBench(bench: bench, results: results)
            for twins in AuditedBench.twins { try await audited.audit(twins) }
            try await audited.outOfReach()
        }
        try await expect(bench, before, "after audits")
    }

    @Test(
        "A journey is explored with the faults that a bench can make", .enabled(if: isLong, "`make test-long` has it"))
    func explores() async throws {
        let bench = try await prepared()
        let before = try await states(bench)
        try await withResults { results in
            let words = [
                "explore", "dieIsPairedAndRolls", "--fault", "linkLost,bluetoothOff,appEnded,bluetoothdKilled",
            ]
            let (output, code) = try await bench.hil(
                words + ["--at", "step(roll)", "--at", "screen(passkey)"] + Self.rig + ["--out", results])
            #expect(code == 0 && output.contains("told and recovered"), "\(output)")
        }
        try await expect(bench, before, "after an exploration")
    }

    @Test(
        "A board with stock BlueZ is the phone in the hand: it sets the die up, leaves, comes back and gets its rolls",
        .enabled(if: isLong, "`make test-long` has it"))
    func otherPhone() async throws {
        let bench = try await prepared()
        let roll = "D1CE0002-7C3A-4F6B-9B52-1A6F0C8E5D47"
        let login = "ssh -F \(bench.environment["HIL_SSH_CONFIG"] ?? "") -o BatchMode=yes \(StockBench.host)"
        let person = """
            python3 \(checkout)/Tests/Support/OtherPhone/bluez.py --step 'subscribe=leave; return; subscribe \(roll)' \
            --see 'face that was rolled=\(roll)' -- \(login)
            """
        try await withResults { results in
            let (output, code) = try await bench.hil(
                [
                    "run", "dieIsPairedAndRolls", "--rig", "hand,\(StockBench.accessory)", "--person", person, "--out",
                    results,
                ], with: ["PYTHONPATH": "\(checkout)/.build/tests-python"])
            #expect(code == 0 && output.contains("1 passed"), "\(output)")
            let story = try String(contentsOfFile: "\(results)/latest/dieIsPairedAndRolls/story.txt", encoding: .utf8)
            let links = story.split(separator: "\n").count { $0.contains("  connected: ") }
            #expect(links == 2, "it left once, and came back:\n\(story)")
        }
    }

    @Test(
        "The home is a second radio of the host board, and the board is as it was",
        .enabled(if: isLong, "`make test-long` has it"))
    func secondRadio() async throws {
        let bench = try await prepared()
        try await withResults { try await hasSecondRadio(bench, $0) }
    }

    @Test(
        "The home is a further board, or a real network whose passphrase is in no file",
        .enabled(if: isLong, "`make test-long` has it"))
    func otherHomes() async throws {
        let bench = try await prepared()
        try await withResults { try await hasOtherHomes(bench, $0) }
    }

    @Test(
        "What is wrong with a board is an error that names it", .enabled(if: hasBadLuck, "`make test-long` has it"))
    func badLuck() async throws {
        let bench = try await prepared()
        try await withResults { try await meetsBadLuck(bench, $0) }
    }

    @Test("Boards whose run, connection or power is killed at a random moment are as they were")
    func kills() async throws {
        let bench = try await prepared()
        try await withResults { try await isKilled(bench, $0) }
    }

    @Test("Boards that are restored have nothing left of hil")
    func restored() async throws { try await isRestored(try await prepared()) }

    private func runsAndGivesBack(_ bench: StockBench, _ results: String) async throws {
        // A second call changes nothing.
        let again = try await bench.hil(["bench", "prepare"] + Self.boards)
        #expect(again.code == 0, "\(again.output)")
        let doctor = try await bench.hil(["doctor"] + Self.rig)
        #expect(doctor.output.hasSuffix("nothing stands in the way\n"), "\(doctor.output)")
        let before = try await states(bench)

        let scenarios = ["dieIsPairedAndRolls", "dieNetworkIsJoined", "newDieIsOnboarded"]
        let (output, code) = try await bench.hil(["run"] + Self.rig + ["--out", results] + scenarios)
        #expect(code == 0, "\(output)")
        #expect(output.contains("6 passed"), "\(output)")
        // A bond, a network and a cache of each scenario were gone before the next.
        #expect(!output.contains("not fresh"))
        let capture = "\(results)/latest/newDieIsOnboarded/capture.pcapng"
        let packets = await Shell.output(["tshark", "-r", capture, "-Y", "btsmp || wlan"])
        #expect((packets ?? "").contains("Pairing Request"), "the capture has both boards' HCI")

        let program = try await bench.hil(
            ["board-programs", "run"] + Self.rig + ["--out", results, "thermostatIsFound", "programsAreRun"],
            program: TestProgram.trials)
        #expect(program.code == 0, "\(program.output)")
        #expect(!program.output.contains("FAILED"))
        try await expect(bench, before, "after runs")
    }

    /// `ACCESSORY=none`: the accessory board is a device that nobody logs in to, and it has its own bluetoothd.
    private func meetsDevice(_ bench: StockBench, _ results: String) async throws {
        let before = try await states(bench)
        let program = "\(checkout)/Tests/Programs/Trials/BoardPrograms/Accessory/thermostat.sh"
        let text = try Data(contentsOf: URL(fileURLWithPath: program)).base64EncodedString()
        let service =
            "systemd-run --unit desk-device -p TemporaryFileSystem=/var/lib/bluetooth -p WorkingDirectory=/run/desk"
        _ = try await bench.shell(
            StockBench.accessory,
            """
            systemctl stop bluetooth
            mkdir /run/desk
            echo \(text) | base64 -d >/run/desk/thermostat.sh
            \(service) sh -c "sleep infinity | sh thermostat.sh Thermostat"
            """)
        let rig = ["--rig", "\(StockBench.host),none"]
        let (output, code) = try await bench.hil(
            ["board-programs", "run"] + rig + ["--out", results, "thermostatOnTheDesk", "programsAreRun"],
            program: TestProgram.trials)
        #expect(code == 0, "\(output)")
        #expect(output.contains("1 passed, 1 skipped"), "\(output)")
        #expect(output.contains("the accessory is a device, ACCESSORY=none"), "\(output)")
        let recorded = try await bench.hil(["record"] + rig + ["--device", "Thermostat", "--as", "deskDevice"])
        #expect(recorded.code == 0, "\(recorded.output)")
        #expect(recorded.output.contains("static let deskDevice = Peripheral.peripheral("), "\(recorded.output)")
        #expect(recorded.output.contains("7E570000-1C2B-4E0A-9F4B-6D1E0C5A8B21"), "\(recorded.output)")
        try await AuditedBench(bench: bench, results: results).auditDevice("Thermostat")
        _ = try await bench.shell(
            StockBench.accessory,
            """
            systemctl stop desk-device; rm -r /run/desk; systemctl start bluetooth
            for wait in $(seq 100); do
                busctl get-property org.bluez /org/bluez/hci0 org.bluez.Adapter1 Powered && break; sleep 0.2
            done
            busctl set-property org.bluez /org/bluez/hci0 org.bluez.Adapter1 Pairable b false
            """)
        // The device's own bluetoothd was this test's doing. It left the adapter pairing, which outlives bluetoothd.
        try await expect(
            bench, before.filter { $0.key == StockBench.host }, "after a run with a device")
    }

    /// The second radio is on the same air as the boards.
    private func hasSecondRadio(_ bench: StockBench, _ results: String) async throws {
        try await bench.order("second \(StockBench.host)")
        // A new radio wakes systemd-rfkill for some seconds.
        let here = """
            for wait in $(seq 100); do nmcli -t -f DEVICE device | grep wlan1 && break; sleep 0.2; done
            while systemctl --quiet is-active systemd-rfkill; do sleep 0.2; done
            """
        #expect(try await bench.shell(StockBench.host, here).contains("wlan1"))
        let before = try await states(bench)
        let rig = ["--rig", "\(StockBench.host),\(StockBench.accessory),home=\(StockBench.host)/wlan1"]
        let doctor = try await bench.hil(["doctor"] + rig)
        #expect(doctor.output.contains("wlan1 is the home's router"), "\(doctor.output)")
        #expect(doctor.output.hasSuffix("nothing stands in the way\n"), "\(doctor.output)")
        let (output, code) = try await bench.hil(
            ["run"] + rig + ["--out", results, "lockMovesIn", "lampIsFoundAtHome"])
        #expect(code == 0, "\(output)")
        #expect(output.contains("3 passed"), "\(output)")
        #expect(!output.contains("not fresh"), "\(output)")
        try await expect(bench, before, "after runs with a second radio")
        let missing = try await bench.hil(
            ["run", "--rig", "\(StockBench.host),\(StockBench.accessory),home=\(StockBench.host)/wlan7"]
                + ["--out", results, "lockMovesIn"])
        #expect(missing.code == 2 && missing.output.contains("no Wi-Fi interface wlan7"), "\(missing.output)")
        try await bench.order("single \(StockBench.host)")
    }

    /// The accessory board is the home's router, first ours, then somebody else's.
    private func hasOtherHomes(_ bench: StockBench, _ results: String) async throws {
        _ = try await bench.shell(
            StockBench.host, "while systemctl --quiet is-active systemd-rfkill; do sleep 0.2; done")
        let before = try await states(bench)
        let router = ["--rig", "\(StockBench.host),none,home=\(StockBench.accessory)"]
        let doctor = try await bench.hil(["doctor"] + router)
        #expect(doctor.output.contains("\(StockBench.accessory), the home's router"), "\(doctor.output)")
        // Somebody holds the router's network for long after the run. The kernel alone would keep the radio so long.
        _ = try await bench.shell(
            StockBench.accessory,
            """
            cat >/run/hold <<END
            inside() { pid=\\$(pidof -s hostapd) && ! test /proc/\\$pid/ns/net -ef /proc/1/ns/net; }
            until inside && nsenter --net --target \\$pid sleep 600; do sleep 0.05; done
            END
            systemd-run --quiet --unit hold sh /run/hold
            """)
        let ours = try await bench.hil(["run"] + router + ["--out", results, "homeHasInternet"])
        #expect(ours.code == 0 && ours.output.contains("2 passed"), "\(ours.output)")
        _ = try await bench.shell(StockBench.accessory, "systemctl stop hold; rm /run/hold")
        try await expect(bench, before, "after runs with a further board")

        let secret = "correct horse battery"
        _ = try await bench.shell(
            StockBench.accessory,
            """
            nmcli device set wlan0 managed no; mkdir -p /run/attic
            printf "interface=wlan0\nssid=Attic\nhw_mode=g\nchannel=6\nwpa=2\nwpa_key_mgmt=WPA-PSK\nrsn_pairwise=CCMP\nwpa_passphrase=\(secret)\n" >/run/attic/conf
            systemd-run --quiet --unit attic hostapd /run/attic/conf
            for wait in $(seq 50); do iw dev wlan0 info | grep -q "ssid Attic" && break; sleep 0.2; done
            ip address add 192.168.44.1/24 dev wlan0
            systemd-run --quiet --unit attic-dhcp dnsmasq --keep-in-foreground --conf-file=/dev/null --port=0 \
                --interface=wlan0 --bind-interfaces --dhcp-range=192.168.44.10,192.168.44.99,12h --no-ping
            """)
        let file = "\(results)/networks"
        try FileManager.default.createDirectory(atPath: results, withIntermediateDirectories: true)
        try Data("[Attic]\npassphrase = \(secret)\n".utf8).write(to: URL(fileURLWithPath: file))
        let real = ["--rig", "\(StockBench.host),none,home=network:Attic"]
        chmod(file, 0o644)
        let refused = try await bench.hil(["doctor"] + real, with: ["HIL_NETWORKS": file])
        #expect(refused.code == 2 && refused.output.contains("others than you may read it"), "\(refused.output)")
        chmod(file, 0o600)
        let run = try await bench.hil(
            ["run"] + real + ["--out", "\(results)/real", "homeHasInternet"], with: ["HIL_NETWORKS": file])
        #expect(run.code == 0 && run.output.contains("1 passed, 1 skipped"), "\(run.output)")
        #expect(run.output.contains("“Attic” is a real network"), "\(run.output)")
        let bytes = secret.utf8.prefix(6).map { String($0, radix: 16, uppercase: true) }.joined(separator: " ")
        for text in [secret, bytes] {
            let found = await Shell.output(["grep", "-rlF", text, "\(results)/real"])
            #expect(found ?? "" == "", "“\(text)” is in \(found ?? "")")
        }
        _ = try await bench.shell(
            StockBench.accessory,
            """
            systemctl stop attic attic-dhcp; ip address flush dev wlan0; ip link set wlan0 down
            rm -r /run/attic; nmcli device set wlan0 managed yes
            """)
        try await expect(bench, before, "after a run at a real network")
    }

    /// The agent of the host board relays the adapter's packets.
    private func lendsAdapter(_ bench: StockBench, _ results: String) async throws {
        let before = try await states(bench)
        let doctor = try await bench.hil(["doctor"] + Self.rig)
        let judged = "for the phone's Bluetooth host, hci0 "
        #expect(doctor.output.contains(judged), "\(doctor.output)")
        try await expect(bench, before, "after hil doctor")

        let words = ["run"] + Self.rig + ["--out", results, "newDieIsOnboarded"]
        let (output, code) = try await bench.hil(words)
        #expect(code == 0, "\(output)")
        #expect(output.contains("1 passed"), "\(output)")
        let folder = "\(results)/latest/newDieIsOnboarded"
        let log = try String(contentsOfFile: "\(folder)/host/agent.log", encoding: .utf8)
        #expect(log.contains("controller.take took"), "\(log)")
        let packets = await Shell.output(
            ["tshark", "-r", "\(folder)/capture.pcapng", "-Y", "btsmp && frame.interface_name == host-hci0"])
        #expect((packets ?? "").contains("Pairing Request"), "the capture has the phone's HCI")
        try await expect(bench, before, "after a run")

        // Killed in a scenario, its agent gives the adapter to the next scenario, and its runner to the board.
        for victim in ["agent", "runner"] {
            let command = victim == "agent" ? "pkill -KILL -f \"[h]il-board agent --stdio\"" : "true"
            async let taken = bench.shell(
                StockBench.host,
                """
                for wait in $(seq 1200); do
                    test -e /run/hil/controller && ! busctl --list tree org.bluez | grep -q hci0 && break
                    sleep 0.05
                done
                test -e /run/hil/controller && echo bluetoothd has no adapter
                \(command)
                """)
            let runner = try RunnerProcess(
                "hil", ["run", "--format", "json"] + words.dropFirst() + ["dieIsPairedAndRolls"],
                environment: bench.environment)
            #expect(try await taken.contains("bluetoothd has no adapter"))
            if victim == "runner" { runner.process.signal(SIGKILL) }
            let (status, record) = await runner.end()
            if victim == "agent" {
                let verdicts = record.entries.compactMap { $0.result?.judgement.verdict }
                #expect(status == .exited(2))
                #expect(Set(verdicts) == [.error, .passed], "\(verdicts)")
            }
            try await expect(bench, before, "after the \(victim) was killed")
        }
    }

    /// What is wrong with a board before a run begins.
    private struct Mishap {
        let board: String
        let command: String
        let undoing: String

        init(_ board: String, _ command: String, undoing: String) {
            (self.board, self.command, self.undoing) = (board, command, undoing)
        }
    }

    /// Each ends as an error that names the bench and says what to do, and never as a failure of the product.
    /// The scenario takes ten seconds, so that there is time for it.
    private func meetsBadLuck(_ bench: StockBench, _ results: String) async throws {
        let before = try await states(bench)
        func run(
            _ comment: Comment, says words: String..., after mishap: Mishap? = nil,
            meanwhile: (RunnerProcess) async throws -> Void = { _ in }
        ) async throws {
            if let mishap { try await bench.spoil(mishap.board, mishap.command, undoing: mishap.undoing) }
            let runner = try RunnerProcess(
                "hil",
                ["run"] + Self.rig + ["--format", "json", "--out", results, "notificationReturnsToBluetooth"],
                environment: bench.environment)
            try await meanwhile(runner)
            let (status, record) = await runner.end()
            if let mishap { try await bench.undo(mishap.board) }
            #expect(status == .exited(2), comment)
            let messages = record.entries.flatMap { $0.result?.judgement.failures ?? [] }.map(\.message)
            for word in words {
                #expect(messages.contains { $0.contains(word) }, "\(comment): “\(word)” in \(messages)")
            }
            try await expect(bench, before, comment)
        }
        func began(_ runner: RunnerProcess) async throws {
            _ = try await runner.lines.first(within: .seconds(200), waitingFor: "the scenario to begin") {
                if case .bodyBegan? = $0.worker { true } else { false }
            }
        }
        try await run(
            "a second user has the board", says: "it is taken by kim", StockBench.host,
            after: Mishap(
                StockBench.host,
                """
                mkdir -p /run/hil-keeper; echo kim@desk >/run/hil-keeper/lock.holder
                systemd-run --quiet --unit kim flock /run/hil-keeper/lock sleep infinity
                for wait in $(seq 100); do flock --nonblock /run/hil-keeper/lock true || break; sleep 0.1; done
                """, undoing: "rm /run/hil-keeper/lock.holder; systemctl stop kim"))
        try await run("NetworkManager takes the interface back", says: "NetworkManager has taken wlan0 back") {
            try await began($0)
            _ = try await bench.shell(
                StockBench.host,
                """
                rm /run/NetworkManager/conf.d/90-hil.conf; nmcli general reload conf
                nmcli device set wlan0 managed yes
                """)
        }
        // Nothing is wrong with a board that a run has: its monitor interface is not a second radio.
        let during = try RunnerProcess(
            "hil", ["run"] + Self.rig + ["--format", "json", "--out", results, "notificationReturnsToBluetooth"],
            environment: bench.environment)
        try await began(during)
        let doctor = try await bench.hil(["doctor"] + Self.rig)
        #expect(doctor.code == 2 && doctor.output.hasSuffix("2 to fix\n"), "\(doctor.output)")
        #expect(doctor.output.components(separatedBy: "has it; wait for that run, or end it").count == 3)
        #expect(await during.end().status == .exited(0))
        try await run("the adapter is unplugged", says: StockBench.accessory) {
            try await began($0)
            try await bench.order("unplug \(StockBench.accessory)")
            _ = await $0.process.wait()
            try await bench.order("plug \(StockBench.accessory)")
        }
        try await run(
            "its disk is full", says: StockBench.host, "its disk is full",
            after: Mishap(
                StockBench.host, "dd if=/dev/zero of=/run/full bs=64k 2>/dev/null || true",
                undoing: "rm -f /run/full"))
        try await run(
            "its user may not use sudo", says: StockBench.accessory, "sudo asks for a password",
            after: Mishap(
                StockBench.accessory, "mv /etc/sudoers.d/pi /run/sudoers-of-pi",
                undoing: "mv /run/sudoers-of-pi /etc/sudoers.d/pi"))
        try await run(
            "its host key has changed", says: StockBench.host, "its host key has changed",
            after: Mishap(
                StockBench.host,
                """
                mkdir /run/keys && mv /etc/ssh/ssh_host_ed25519_key* /run/keys
                ssh-keygen -q -t ed25519 -N "" -f /etc/ssh/ssh_host_ed25519_key
                systemctl restart ssh
                """, undoing: "mv /run/keys/* /etc/ssh && rmdir /run/keys; systemctl restart ssh"))
        try await run("the connection is cut", says: StockBench.host) {
            try await began($0)
            try await bench.order("cut \(StockBench.host)")
            _ = await $0.process.wait()
            try await bench.order("mend \(StockBench.host)")
        }
        try await run("the board restarts", says: StockBench.accessory) {
            try await began($0)
            try await bench.order("reset \(StockBench.accessory)")
        }
        // A clock that is wrong by a year is measured, and changes nothing.
        _ = try await bench.shell(StockBench.accessory, "timedatectl set-ntp false; date -s \"+1 year\"")
        let wrong = try await bench.hil(["run"] + Self.rig + ["--out", results, "dieIsPairedAndRolls"])
        #expect(wrong.code == 0, "\(wrong.output)")
        _ = try await bench.shell(StockBench.accessory, "date -s \"-1 year\"; timedatectl set-ntp true")
    }

    /// Runner, connection and board are killed at random moments, with nothing left behind.
    private func isKilled(_ bench: StockBench, _ results: String) async throws {
        let before = try await states(bench)
        let seed =
            ProcessInfo.processInfo.environment["HIL_KILL_SEED"].flatMap { UInt64($0) } ?? .random(in: 0 ... .max)
        var numbers = SeededNumbers(seed: seed)
        for round in 0..<killCount {
            let victim =
                ["runner", "connection", "power", "restart", "keeper"].randomElement(using: &numbers) ?? "runner"
            let board = Self.boards.randomElement(using: &numbers) ?? StockBench.host
            let moment = Duration.milliseconds(Int.random(in: 0...30_000, using: &numbers))
            let comment: Comment = "round \(round): \(victim) \(board) after \(moment), HIL_KILL_SEED=\(seed)"
            // A run that is broken off tells how far it came.
            print(comment.rawValue)
            let runner = try RunnerProcess(
                "hil", ["run"] + Self.rig + ["--out", results, "personCancels", "dieIsPairedAndRolls"],
                environment: bench.environment)
            try await Task.sleep(for: moment)
            switch victim {
            case "runner": runner.process.signal(SIGKILL)
            case "connection": try await bench.order("cut \(board)")
            case "keeper": _ = try await bench.shell(board, "pkill -KILL -f \"hil-board keep --unit\"")
            case "restart": _ = try await bench.shell(board, "systemctl --no-block reboot")
            default: try await bench.order("reset \(board)")
            }
            if victim == "connection" {
                // Long enough for both ends to notice.
                try await Task.sleep(for: .seconds(15))
                try await bench.order("mend \(board)")
            }
            _ = await runner.process.wait()
            try await expect(bench, before, comment)
        }
    }

    private func isRestored(_ bench: StockBench) async throws {
        let (output, code) = try await bench.hil(["bench", "restore"] + Self.boards)
        #expect(code == 0, "\(output)")
        for board in Self.boards {
            #expect(
                try await bench.shell(board, "ls -d /opt/hil* 2>/dev/null; ls /usr/sbin/policy-rc.d 2>/dev/null")
                    .isEmpty)
        }
    }

    private func states(_ bench: StockBench) async throws -> [String: String] {
        var states: [String: String] = [:]
        for board in Self.boards { states[board] = try await bench.state(of: board) }
        return states
    }

    private func expect(_ bench: StockBench, _ before: [String: String], _ comment: Comment) async throws {
        for (board, state) in before {
            let difference = try await bench.difference(of: board, from: state, within: .seconds(120))
            #expect(difference == nil, comment)
        }
    }
}
