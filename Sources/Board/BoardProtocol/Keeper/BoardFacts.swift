/// The properties of a board on a bench, for ``KeeperCall/look(version:_:)``.
package struct BoardFacts: Sendable, Hashable, Codable {
    /// The keeper's version of the protocol.
    package var version: Int
    /// `Debian GNU/Linux 13 (trixie)`.
    package var system = ""
    /// `x86_64`, `aarch64`.
    package var machine = ""
    /// Changes with each start of the board.
    package var boot = ""
    /// The board's time in nanoseconds since 1970.
    package var clock: UInt64 = 0
    /// The versions of kernel and daemons, by name.
    package var versions: [String: String] = [:]
    package var adapters: [Adapter] = []
    package var radios: [Radio] = []
    /// The country whose rules the radios obey: `DE`; `00` for the worldwide rules.
    package var country = ""
    /// The services that hold the radios now: `bluetooth.service`, `NetworkManager: wlan0`.
    package var services: [String] = []
    /// The names of programs that a run needs and the board lacks.
    package var missing: [String] = []
    /// Why no run can use the radios; empty if one can.
    package var obstacles: [KeeperFailure] = []
    /// Free disk in MB where the keeper writes.
    package var freeDisk = 0
    /// The holder of the board now; nil if nobody has taken it.
    package var holder: String?
    /// Whether a run has taken the board and ended without giving it back.
    package var isLeftTaken = false

    package init(version: Int) { self.version = version }

    /// A Bluetooth adapter.
    package struct Adapter: Sendable, Hashable, Codable {
        /// `hci0`.
        package var name: String
        package var address: String
        /// The driver's name, or the bus: `btusb`, `hci_uart_bcm`, `virtual`.
        package var bus: String
        /// Whether rfkill keeps it off.
        package var isBlocked: Bool
        /// Whether runs use this one.
        package var isChosen: Bool
        /// What its controller can do; nil if it was not asked, because it is off or in use.
        package var abilities: Abilities?

        package init(
            name: String, address: String, bus: String, isBlocked: Bool, isChosen: Bool, abilities: Abilities? = nil
        ) {
            (self.name, self.address, self.bus) = (name, address, bus)
            (self.isBlocked, self.isChosen, self.abilities) = (isBlocked, isChosen, abilities)
        }

        /// What a controller answers about its abilities.
        package struct Abilities: Sendable, Hashable, Codable {
            /// The LE features, a bit each (Core Specification 6.0, Vol 6, Part B, 4.6).
            package var features: UInt64
            /// The combinations of states, a bit each (Vol 4, Part E, 7.8.27).
            package var states: UInt64

            package init(features: UInt64, states: UInt64) { (self.features, self.states) = (features, states) }
        }
    }

    /// A Wi-Fi radio's interface.
    package struct Radio: Sendable, Hashable, Codable {
        /// `wlan0`.
        package var name: String
        package var address: String
        package var driver: String
        package var isBlocked: Bool
        package var isChosen: Bool
        /// Whether it can be an access point.
        package var hasAccessPoint: Bool
        /// Whether it can listen beside its own traffic.
        package var hasMonitor: Bool
        /// In GHz: 2.4, 5, 6.
        package var bands: [Double]
        /// Whether the connection to the runner goes through it.
        package var carriesLogin: Bool
        /// Whether one chip has Bluetooth and Wi-Fi on 2.4 GHz, which disturb each other.
        package var sharesChip: Bool

        package init(
            name: String, address: String, driver: String, isBlocked: Bool, isChosen: Bool, hasAccessPoint: Bool,
            hasMonitor: Bool, bands: [Double], carriesLogin: Bool, sharesChip: Bool
        ) {
            (self.name, self.address, self.driver) = (name, address, driver)
            (self.isBlocked, self.isChosen) = (isBlocked, isChosen)
            (self.hasAccessPoint, self.hasMonitor, self.bands) = (hasAccessPoint, hasMonitor, bands)
            (self.carriesLogin, self.sharesChip) = (carriesLogin, sharesChip)
        }
    }
}
