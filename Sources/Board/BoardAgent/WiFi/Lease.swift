import Glibc
import HILPOSIX
import HILTiming
import HILWiFi
import RadioModel

/// An address from a DHCP server. udhcpc's script writes it as lines `ip=…`, `mask=…` and `router=…`.
struct Lease: Sendable, Equatable {
    var address: String
    var mask: String
    var router: String

    /// Parses the script's output; nil if the address or the mask is missing or invalid.
    init?(_ text: String) {
        let fields = controlFields(text)
        guard let address = Lease.dotted(fields["ip"]), let mask = Lease.dotted(fields["mask"]) else { return nil }
        self.address = address
        self.mask = mask
        // A server may name several routers. The first is preferred (RFC 2132, 3.5).
        let first = fields["router"]?.split(separator: " ").first
        router = Lease.dotted(first.map { String($0) }) ?? ""
    }

    private static func dotted(_ text: String?) -> String? {
        guard let text, (try? internetAddress(text, port: 0)) != nil else { return nil }
        return text
    }

    /// The shell in udhcpc's own program, if its path is known. On an emulated board, loading another shell takes a
    /// tenth of a second, twice for each address.
    private static let shell: String = {
        let paths = ["/usr/bin/busybox", "/bin/busybox"]
        return paths.first { access($0, X_OK) == 0 }.map { "\($0) sh" } ?? "/bin/sh"
    }()

    /// The script that udhcpc runs. It only writes the address to a file; the agent does the rest.
    private static let script = """
        #!\(shell)
        [ "$1" = bound ] && printf 'ip=%s\\nmask=%s\\nrouter=%s\\n' "$ip" "$subnet" "$router" >"$HIL_LEASE"
        exit 0

        """

    /// Writes the script. Call it once: a file cannot be started while it is being written.
    static func prepare(_ folder: AgentFolder) throws(SystemError) {
        try folder.write(script, to: "lease.sh", mode: 0o700)
    }

    /// Gets an address for an interface that has joined a network.
    ///
    /// - Throws: ``RadioModel/RadioError/noAddress(ssid:)`` if no server answers.
    static func obtain(
        on interface: String, ssid: String, in namespace: NetworkNamespace? = nil, folder: AgentFolder, journal: Journal
    ) async throws -> Lease {
        let lease = "lease-\(interface)"
        folder.remove(lease)
        // Five requests, a second apart, then it gives up. It ends when it has an address.
        let command = [
            "busybox", "udhcpc", "-f", "-n", "-q", "-t", "5", "-T", "1", "-i", interface, "-s", folder.file("lease.sh"),
        ]
        let environment = ["PATH=/usr/sbin:/usr/bin:/sbin:/bin", "HIL_LEASE=\(folder.file(lease))"]
        let output = try await Spawner.output(
            of: namespace.command(command), environment: environment, within: .seconds(12))
        for line in output.split(separator: "\n") { journal.write(String(line), from: "udhcpc") }
        guard let text = try? folder.read(lease), let found = Lease(text) else {
            throw RadioError.noAddress(ssid: ssid)
        }
        return found
    }
}
