import Glibc
import POSIX
import RadioModel
import Timing
import WiFi

/// An address that a DHCP server gave, as udhcpc's script wrote it down: `ip=…`, `mask=…` and `router=…`, a line each.
struct Lease: Sendable, Equatable {
    var address: String
    var mask: String
    var router: String

    /// Reads what the script wrote; nil where it has no address or mask, or what stands there is no address.
    init?(_ text: String) {
        let fields = controlFields(text)
        guard let address = Lease.dotted(fields["ip"]), let mask = Lease.dotted(fields["mask"]) else { return nil }
        self.address = address
        self.mask = mask
        // A server may name several; the first is to be tried first (RFC 2132, 3.5).
        let first = fields["router"]?.split(separator: " ").first
        router = Lease.dotted(first.map { String($0) }) ?? ""
    }

    private static func dotted(_ text: String?) -> String? {
        guard let text, (try? internetAddress(text, port: 0)) != nil else { return nil }
        return text
    }

    /// The shell that udhcpc brings along itself, where it can be named: an emulated board loads another for a tenth of a
    /// second, twice for each address.
    private static let shell: String = {
        let paths = ["/usr/bin/busybox", "/bin/busybox"]
        return paths.first { access($0, X_OK) == 0 }.map { "\($0) sh" } ?? "/bin/sh"
    }()

    /// What udhcpc runs when it has an address: it only writes it down, so that the agent decides.
    private static let script = """
        #!\(shell)
        [ "$1" = bound ] && printf 'ip=%s\\nmask=%s\\nrouter=%s\\n' "$ip" "$subnet" "$router" >"$HIL_LEASE"
        exit 0

        """

    /// Writes udhcpc's script; once, as a file that somebody writes cannot be started.
    static func prepare(_ folder: RunFolder) throws(SystemError) {
        try folder.write(script, to: "lease.sh", mode: 0o700)
    }

    /// Asks for an address on an interface that is joined to a network.
    ///
    /// - Throws: ``RadioModel/RadioError/noAddress(ssid:)`` when no server answers.
    static func obtain(
        on interface: String, ssid: String, folder: RunFolder, journal: Journal
    ) async throws -> Lease {
        let lease = "lease-\(interface)"
        folder.remove(lease)
        // Five requests, a second apart, then it gives up; it ends when it has an address.
        let command = [
            "busybox", "udhcpc", "-f", "-n", "-q", "-t", "5", "-T", "1", "-i", interface, "-s", folder.file("lease.sh"),
        ]
        let environment = ["PATH=/usr/sbin:/usr/bin:/sbin:/bin", "HIL_LEASE=\(folder.file(lease))"]
        let output = try await Spawner.output(of: command, environment: environment, within: .seconds(12))
        for line in output.split(separator: "\n") { journal.write(String(line), from: "udhcpc") }
        guard let text = try? folder.read(lease), let found = Lease(text) else {
            throw RadioError.noAddress(ssid: ssid)
        }
        return found
    }
}
