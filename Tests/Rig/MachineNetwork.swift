import Foundation
import Glibc
import HILRecord
import HILTiming
import StubRig

/// A network in place of the machine's, which one command and its processes have to themselves: what it sends and which sockets
/// it has is theirs. All addresses are reached by its loopback, which counts.
struct MachineNetwork {
    private static let tables = ["tcp", "tcp6", "udp", "udp6", "udplite", "udplite6", "raw", "raw6", "icmp", "packet"]
    private static let counted: Set<String> = [
        "InReceives", "OutRequests", "OutNoRoutes", "Ip6InReceives", "Ip6OutRequests", "Ip6OutNoRoutes",
    ]
    private let counters: String

    /// - Parameter folder: Where its counters are kept; it is made.
    init(in folder: String) { counters = "\(folder)/counters" }

    /// Words in front of a command that give it this network.
    func command() throws -> [String] {
        let folder = URL(fileURLWithPath: counters).deletingLastPathComponent()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let script = """
            counters=$1; shift
            ip link set lo up
            ip route add default dev lo
            ip -6 route add default dev lo
            code=0
            "$@" || code=$?
            cat /proc/net/snmp /proc/net/snmp6 >"$counters"
            exit $code
            """
        let user = geteuid() == 0 ? [] : ["--user", "--map-root-user"]
        return ["unshare"] + user + ["--net", "sh", "-ec", script, "sh", counters]
    }

    /// The packets of IP that the command sent and got, by the kernel's names. Read it when the command has ended.
    func traffic() throws -> [String: Int] {
        let lines = try String(contentsOfFile: counters, encoding: .utf8).split(separator: "\n")
        var values: [(name: Substring, value: Substring)] = []
        // IPv4 has a line of names and a line of values, IPv6 a line for each.
        let ip = lines.filter { $0.hasPrefix("Ip: ") }.map { $0.split(separator: " ") }
        if ip.count == 2 { values += zip(ip[0], ip[1]).map { ($0, $1) } }
        values += lines.map { $0.split(whereSeparator: \.isWhitespace) }.filter { $0.count == 2 }.map { ($0[0], $0[1]) }
        let known = Dictionary(values.map { (String($0.name), Int($0.value) ?? 0) }) { first, _ in first }
        guard Self.counted.isSubset(of: known.keys) else { throw CocoaError(.fileReadCorruptFile) }
        return known.filter { Self.counted.contains($0.key) && $0.value != 0 }
    }

    /// The sockets of IP, and those for all packets, in the networks of these processes: `tcp 00000000:0050`.
    static func sockets(of processes: [pid_t]) -> Set<String> {
        var found: Set<String> = []
        for process in processes {
            for table in tables {
                guard let text = try? String(contentsOfFile: "/proc/\(process)/net/\(table)", encoding: .utf8) else {
                    continue
                }
                found.formUnion(
                    text.split(separator: "\n").dropFirst().compactMap { line in
                        let words = line.split(separator: " ")
                        return words.count > 1 ? "\(table) \(words[1])" : nil
                    })
            }
        }
        return found
    }

    /// Looks at the sockets of a run's processes whenever a stranger comes or has done something, until the run ends.
    func watch(_ run: RunnerProcess) async throws -> (looks: Int, found: Set<String>) {
        var (looks, place, found) = (0, 0, Set<String>())
        while let (_, next) = try? await run.lines.first(
            from: place, within: .seconds(600), waitingFor: "a stranger", where: Self.isOfStranger)
        {
            (looks, place) = (looks + 1, next)
            found.formUnion(Self.sockets(of: run.family().map(\.identifier)))
        }
        return (looks, found)
    }

    private static func isOfStranger(_ line: RunLine) -> Bool {
        switch line.worker {
        case .audit(.stranger), .audit(.tried): true
        default: false
        }
    }
}
