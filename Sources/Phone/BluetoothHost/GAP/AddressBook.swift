import RadioModel

/// This phone's own addresses, and the identities of its bonded peers.
///
/// The phone's private address changes from time to time. The controller refuses a new one while it advertises, scans
/// or connects. So the book first asks for quiet: while ``wantsQuiet`` is true, the owner ends all three, calls
/// ``setQuiet(_:at:)`` once they have ended, and begins them again when ``wantsQuiet`` is false.
///
/// Source: Core Specification 6.0, Vol 3, Part C, 10.7, and Vol 4, Part E, 7.8.4.
package struct AddressBook: Sendable {
    package struct Configuration: Sendable, Hashable {
        /// Whether the phone hides behind private addresses. If not, its identity address is in the air.
        package var isPrivate = true
        /// How long a private address is used, at least 1 s. The specification recommends 15 minutes (Vol 3, Part C,
        /// Appendix A).
        package var rotation: Duration = .seconds(15 * 60)
        /// The pauses after the controller's refusal of a new address.
        package var retry = RetryPause()
        /// How many addresses are kept with the identity behind them; addresses of unknown devices count.
        package var mostRecent = 512

        package init() {}
    }

    package enum Output: Sendable, Equatable {
        case command(HCICommand, CommandPurpose)
        /// This phone's address in the air from now on.
        case changed(PeerAddress)
        /// The controller refused a new address: plain words. The book tries again.
        case refused(String)
    }

    package let configuration: Configuration
    /// Who this phone is: its identity address, public or random and static, and its identity resolving key.
    package let identity: DeviceIdentity
    /// This phone's address in the air; nil before the first one is set, and without power.
    package internal(set) var current: PeerAddress?
    let random: RandomBytes
    var isPowered = false
    /// When the address changes next; nil if it does not change.
    var changeTime: Duration?
    var isChangeDue = false
    var isQuiet = false
    var pending = PendingCommands<PeerAddress>(of: .addressBook)
    var retry: RetryTimer

    /// The bonded peers, the oldest bond first. Only the person's consent adds one.
    var peers: [DeviceIdentity] = []
    /// The last address at which each bonded peer was heard, by identity address.
    var lastHeard: [PeerAddress: PeerAddress] = [:]
    /// Identity addresses by private address; nil for an address of an unknown device.
    var resolved: RecentTable<PeerAddress, PeerAddress?>

    /// - Parameter random: Gives random bytes for private addresses.
    package init(
        identity: DeviceIdentity, configuration: Configuration = Configuration(), random: @escaping RandomBytes
    ) {
        self.identity = identity
        self.configuration = configuration
        self.random = random
        retry = RetryTimer(configuration.retry)
        resolved = RecentTable(limit: configuration.mostRecent)
    }
}
