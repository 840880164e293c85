import BoardProtocol
import FoundationEssentials
import HILBlueZ

/// The two radios of a board that runs use. After `hil bench prepare` has recorded them, they are identified by address
/// and name, never by order.
struct BoardRadios: Sendable, Hashable, Codable {
    /// The record of `hil bench prepare`: the chosen radios of a board with several.
    struct Choice: Codable {
        /// The address of the Bluetooth adapter; nil for the only one.
        var adapter: String?
        /// The name of the Wi-Fi interface; nil for the only one.
        var interface: String?

        static let path = "/opt/hil/board.json"

        static var ofThisBoard: Choice {
            SmallFile.text(path).flatMap { try? JSONDecoder().decode(Choice.self, from: Data($0.utf8)) } ?? Choice()
        }
    }

    /// The number of the adapter: 0 for `hci0`.
    let adapter: UInt16
    /// The adapter's address.
    let address: String
    /// The Wi-Fi interface: `wlan0`.
    let interface: String
    /// The Wi-Fi interface of the home's router; nil for none.
    let home: String?

    /// All Wi-Fi interfaces that a run takes.
    var interfaces: [String] { [interface] + (home.map { [$0] } ?? []) }

    /// Finds the radios of a board.
    ///
    /// - Parameter home: The Wi-Fi interface of the home's router; nil for none.
    /// - Throws: ``KeeperFailure`` if there is none, or more than one without a choice.
    init(of facts: BoardFacts, home: String? = nil) throws(KeeperFailure) {
        let command = "name it with `hil bench prepare`"
        switch facts.adapters.filter(\.isChosen).count {
        case 1: break
        case 0 where facts.adapters.isEmpty:
            throw KeeperFailure(
                "it has no Bluetooth adapter", remedy: "plug one in, and see `dmesg | grep -i bluetooth` on the board")
        case 0:
            let names = facts.adapters.map(\.address).joined(separator: ", ")
            throw KeeperFailure(
                "the chosen Bluetooth adapter is missing; the board has \(names)",
                remedy: "plug it in, or \(command) --adapter")
        default:
            let names = facts.adapters.map { "\($0.address) (\($0.bus))" }.joined(separator: ", ")
            throw KeeperFailure("it has several Bluetooth adapters: \(names)", remedy: "\(command) --adapter")
        }
        if let home { try BoardRadios.check(home, among: facts.radios) }
        let chosen = facts.radios.filter { $0.isChosen && $0.name != home }
        switch chosen.count {
        case 1: break
        case 0 where facts.radios.isEmpty:
            throw KeeperFailure("it has no Wi-Fi radio", remedy: "plug one in, and see `iw dev` on the board")
        case 0:
            let names = facts.radios.map(\.name).joined(separator: ", ")
            throw KeeperFailure(
                "the chosen Wi-Fi interface is missing; the board has \(names)"
                    + (home.map { ", and \($0) is the home's router" } ?? ""),
                remedy: "plug it in, or \(command) --interface")
        default:
            let names = chosen.map { "\($0.name) (\($0.driver))" }.joined(separator: ", ")
            throw KeeperFailure("it has several Wi-Fi radios: \(names)", remedy: "\(command) --interface")
        }
        // The checks above ensure that both exist.
        let (adapter, radio) = (facts.adapters.first { $0.isChosen }!, chosen[0])
        if radio.carriesLogin {
            throw KeeperFailure(
                "\(radio.name) is its only connection to this machine, and a run would take it",
                remedy: "connect the board by cable, or give it a second Wi-Fi radio and choose that")
        }
        self.home = home
        self.adapter = UInt16(adapter.name.dropFirst(3)) ?? 0
        address = adapter.address
        interface = radio.name
    }
    /// Checks that an interface can be the home's router.
    private static func check(_ home: String, among radios: [BoardFacts.Radio]) throws(KeeperFailure) {
        guard let radio = radios.first(where: { $0.name == home }) else {
            let names = radios.map(\.name).joined(separator: ", ")
            throw KeeperFailure(
                "it has no Wi-Fi interface \(home) for the home's router; it has \(names)",
                remedy: "plug it in, or name another in `--rig HOST,ACCESSORY,home=BOARD/INTERFACE`")
        }
        if radio.carriesLogin {
            throw KeeperFailure(
                "\(home) is its only connection to this machine, and the home's router would take it",
                remedy: "connect the board by cable, or name another interface")
        }
        guard radio.hasAccessPoint else {
            throw KeeperFailure(
                "\(home) cannot be an access point, so it cannot be the home's router",
                remedy: "use a radio whose `iw list` names AP")
        }
    }
}
