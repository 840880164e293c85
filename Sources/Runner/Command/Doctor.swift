import Foundation
import HILPOSIX
import RigModel
import VirtualRig

/// `hil doctor`: checks everything that a run needs, and says how to get what is missing.
struct Doctor {
    /// The result of one check.
    struct Finding: Equatable {
        enum State: String {
            case here = "ok     "
            /// A run makes it, or does not need it.
            case later = "later  "
            case missing = "MISSING"
        }

        let state: State
        let text: String
        /// What to do about it; nil if nothing is wrong.
        var remedy: String?
    }

    /// The folder of hil's own package; nil when it was not found.
    let checkout: String?
    /// The folder of the package whose results need disk space.
    let project: String

    /// Prints all findings, one per line.
    ///
    /// - Returns: Whether everything that a run needs is there.
    func report(_ say: (String) -> Void) async -> Bool {
        let findings =
            [ownFiles] + packages + programs + [folder] + cached + [await native, await accelerator, memory] + space
        for finding in findings {
            say("\(finding.state.rawValue)  \(finding.text)" + (finding.remedy.map { "; \($0)" } ?? ""))
        }
        let missing = findings.count { $0.state == .missing }
        say(missing == 0 ? "nothing is missing" : "\(missing) missing")
        return missing == 0
    }

    private var ownFiles: Finding {
        guard let checkout else {
            return Finding(state: .missing, text: "hil's own checkout", remedy: "set HIL_ROOT to its folder")
        }
        return Finding(state: .here, text: "hil's own checkout: \(checkout)")
    }

    /// Checks the packages of `Fixtures/Setup/packages` with dpkg; without dpkg, only the programs.
    private var packages: [Finding] {
        let list =
            checkout.flatMap { try? String(contentsOfFile: "\($0)/Fixtures/Setup/packages", encoding: .utf8) } ?? ""
        guard let status = try? String(contentsOfFile: "/var/lib/dpkg/status", encoding: .utf8), !list.isEmpty else {
            return RigSetUp.missingPrograms().map {
                Finding(state: .missing, text: $0.program, remedy: "install it; Debian's package is \($0.package)")
            }
        }
        let missing = Doctor.packages(list: list, dpkg: status)
        guard missing.isEmpty else {
            let remedy = "run `make setup`, which installs it"
            return missing.map { Finding(state: .missing, text: "the package \($0.name): \($0.why)", remedy: remedy) }
        }
        return [Finding(state: .here, text: "all system packages of Fixtures/Setup/packages")]
    }

    /// The packages of a list that are not installed according to dpkg's status file.
    static func packages(list: String, dpkg status: String) -> [(name: String, why: String)] {
        var installed: Set<Substring> = []
        var name: Substring = ""
        for line in status.split(separator: "\n") {
            if line.hasPrefix("Package: ") { name = line.dropFirst(9) }
            if line.hasPrefix("Status: "), line.hasSuffix(" installed") { installed.insert(name) }
        }
        return list.split(separator: "\n").filter { !$0.hasPrefix("#") }.compactMap { line in
            let parts = line.split(separator: " ", maxSplits: 1)
            guard let name = parts.first, !installed.contains(name) else { return nil }
            return (String(name), parts.count > 1 ? parts[1].trimmingCharacters(in: .whitespaces) : "")
        }
    }

    private var programs: [Finding] {
        let programs = RigPrograms.built()
        return [programs.rig, programs.air, programs.board].map { path in
            FileManager.default.isExecutableFile(atPath: path)
                ? Finding(state: .here, text: "the program \(path)")
                : Finding(state: .missing, text: "the program \(path)", remedy: "run `make setup`, which builds it")
        }
    }

    private var setUp: RigSetUp { RigSetUp(recipe: "\(checkout ?? "")/Fixtures/BoardImage") }

    private var accelerator: Finding {
        get async {
            let text = await setUp.accelerator()
            let isForbidden =
                FileManager.default.fileExists(atPath: "/dev/kvm") && access("/dev/kvm", R_OK | W_OK) != 0
            return Finding(
                state: isForbidden ? .later : .here, text: text,
                remedy: isForbidden ? "join its group: `sudo adduser $USER kvm`" : nil)
        }
    }

    private var native: Finding {
        get async {
            if let kernel = await setUp.kernelBuild.find() {
                return Finding(
                    state: .here,
                    text: "runs take native boards, which need no emulation, with the kernel \(kernel.folder)")
            }
            let remedy = "`make native` builds it; otherwise the first run does, beside its scenarios"
            return Finding(state: .later, text: "the kernel of native boards is not built yet", remedy: remedy)
        }
    }

    private var folder: Finding {
        let folder = Cache.standard()
        guard let obstacle = folder.obstacle else {
            return Finding(state: .here, text: "the cache folder \(folder.folder)")
        }
        return Finding(state: .missing, text: "\(obstacle.action): \(obstacle.reason)", remedy: obstacle.remedy)
    }

    /// Checks what the set-up keeps in the cache.
    private var cached: [Finding] {
        let folder = Cache.standard().folder
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        let kinds = [
            ("rootcanal", "RootCanal"), ("agent", "the disk with the boards' agent"),
            ("snapshot", "the boards' snapshot"),
        ]
        let systems = BoardSystem.names.compactMap(BoardSystem.init(named:)).map { system in
            let text = "the boards' image, \(system)"
            if setUp.hasImage(of: system) { return Finding(state: .here, text: "\(text), in \(folder)") }
            let remedy =
                system == .debian13
                ? "`make setup` makes it, as does a run"
                : "`hil setup --accessory \(system)` makes it, as does a run with that option"
            return Finding(state: .later, text: "\(text), is not made yet", remedy: remedy)
        }
        return systems
            + kinds.map { kind, text in
                let isAvailable = names.contains { $0.lowercased().hasPrefix("\(kind)-") && !$0.hasSuffix(".partial") }
                return isAvailable
                    ? Finding(state: .here, text: "\(text), in \(folder)")
                    : Finding(
                        state: .later, text: "\(text) is not made yet", remedy: "`make setup` makes it, as does a run")
            }
    }

    private var memory: Finding {
        let text = (try? String(contentsOfFile: "/proc/meminfo", encoding: .utf8)) ?? ""
        let line = text.split(separator: "\n").first { $0.hasPrefix("MemAvailable:") } ?? ""
        let kibibytes = line.split(separator: " ").lazy.compactMap { Int($0) }.first ?? 0
        let isEnough = kibibytes >= 1 << 20
        return Finding(
            state: isEnough ? .here : .missing, text: "\(kibibytes >> 10) MiB of memory are free",
            remedy: isEnough ? nil : "a rig needs 1 GiB: end other programs")
    }

    /// Checks the free space on the disks that the set-up and a run write to.
    private var space: [Finding] {
        let results = DiskNeed(DiskNeed.results, in: "\(project)/results", for: "the results of a run")
        let needs = setUp.needs() + [results]
        let folders = [Cache.standard().folder] + needs.map(\.folder)
        let once = folders.enumerated().filter { folders.firstIndex(of: $0.element) == $0.offset }.map(\.element)
        let free = once.compactMap { folder in DiskNeed.disk(of: folder).map { "\($0.free) MB for \(folder)" } }
        let needed = needs.reduce(0) { $0 + $1.megabytes }
        let text =
            "free: \(free.joined(separator: ", ")); a run takes \(needed) MB of it"
            + (needs.count > 1 ? ", including what is not made yet" : "")
        do throws(RigFailure) {
            try DiskNeed.require(needs, for: "checking the disk space")
            return [Finding(state: .here, text: text)]
        } catch { return [Finding(state: .missing, text: error.reason, remedy: error.remedy)] }
    }
}
