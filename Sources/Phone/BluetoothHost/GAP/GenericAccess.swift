import RadioModel

/// All of GAP above one controller: addresses, scans, connections and advertising, which take turns at the controller.
///
/// The owner sends each command, and gives its result to ``completed(_:_:at:)``; it gives each event of the controller
/// to ``receive(_:at:)``. Before each power-on the controller must be reset.
///
/// Source: Core Specification 6.0, Vol 3, Part C.
package struct GenericAccess: Sendable {
    package struct Configuration: Sendable, Hashable {
        package var addresses = AddressBook.Configuration()
        package var scanner = Scanner.Configuration()
        package var connector = Connector.Configuration()
        package var advertiser = Advertiser.Configuration()
        /// Whether extended commands are used where the controller has them.
        package var allowsExtended = true

        package init() {}
    }

    package enum Output: Sendable, Equatable {
        case command(HCICommand, CommandPurpose)
        case addressChanged(PeerAddress)
        case heard(Discovery)
        /// A new link in either role.
        case opened(OpenedLink)
        /// A link that was opened is over.
        case closed(ConnectionHandle, HCIError)
        /// The device never answered on its new link, whose end was told before, and is tried again.
        case retrying(PeerAddress, tries: Int)
        /// An attempt to connect is over, without a link.
        case failed(PeerAddress, ConnectFailure)
        case advertising(AdvertisingPlan)
        /// The controller refused something: plain words.
        case refused(String)
    }

    let configuration: Configuration
    package internal(set) var addresses: AddressBook
    package internal(set) var scanner: Scanner
    package internal(set) var connector: Connector
    package internal(set) var advertiser: Advertiser
    var search = DeviceSearch()
    /// Nil without power.
    package internal(set) var abilities: ControllerAbilities?

    package init(
        identity: DeviceIdentity, configuration: Configuration = Configuration(), random: @escaping RandomBytes
    ) {
        self.configuration = configuration
        addresses = AddressBook(identity: identity, configuration: configuration.addresses, random: random)
        scanner = Scanner(configuration: configuration.scanner)
        connector = Connector(configuration: configuration.connector)
        advertiser = Advertiser(configuration: configuration.advertiser)
    }

    package var isPowered: Bool { abilities != nil }

    /// When something is due.
    package var deadline: Duration? {
        [addresses.deadline, scanner.deadline, connector.deadline, advertiser.deadline, search.deadline]
            .compactMap { $0 }.min()
    }
}

// The wishes of the layers above.
extension GenericAccess {
    /// Bluetooth is on: the controller is reset and initialised.
    package mutating func powerOn(_ information: ControllerInformation, at now: Duration) -> [Output] {
        let ended = powerOff()
        let abilities = ControllerAbilities(information, allowsExtended: configuration.allowsExtended)
        self.abilities = abilities
        scanner.powerOn(abilities)
        connector.powerOn(abilities)
        advertiser.powerOn(abilities)
        return settled(ended + outputs(addresses.powerOn(at: now)), at: now)
    }

    /// Ends all attempts, because Bluetooth goes off. ``isIdle`` says when the controller has followed.
    package mutating func giveUp(at now: Duration) -> [Output] { outputs(connector.giveUp(at: now)) }

    /// Whether the controller has no link and makes none.
    package var isIdle: Bool { connector.isQuiet && connector.linkCount == 0 }

    /// Bluetooth is off. Attempts fail, links are over, and all wishes are forgotten.
    package mutating func powerOff() -> [Output] {
        abilities = nil
        search = DeviceSearch()
        addresses.powerOff()
        scanner.powerOff()
        advertiser.powerOff()
        return outputs(connector.powerOff())
    }

    /// Begins a scan, changes its settings, or ends it with nil.
    package mutating func scan(_ settings: ScanSettings?, at now: Duration) -> [Output] {
        settled(outputs(scanner.scan(settings, at: now)), at: now)
    }

    /// Begins to advertise, changes the content, or ends with nil.
    package mutating func advertise(_ content: AdvertisingContent?, at now: Duration) -> [Output] {
        settled(outputs(advertiser.advertise(content, at: now)), at: now)
    }

    /// Connects to a device where it was heard last.
    ///
    /// - Parameters:
    ///   - device: The identity of a bonded device, otherwise its address.
    ///   - limit: How long the controller listens for it; nil for the configuration's limit.
    package mutating func connect(to device: PeerAddress, limit: Duration? = nil, at now: Duration) -> [Output] {
        let address = addresses.currentAddress(of: device)
        return settled(outputs(connector.connect(to: device, at: address, limit: limit, at: now)), at: now)
    }

    /// The kind of a device's address: of a bonded device, otherwise as it was heard last; nil for an unknown device.
    package func device(at address: DeviceAddress) -> PeerAddress? {
        addresses.identities.first { $0.address == address } ?? scanner.device(at: address)
    }

    /// Gives up an attempt to connect.
    package mutating func cancel(_ device: PeerAddress, at now: Duration) -> [Output] {
        settled(outputs(connector.cancel(device, at: now)), at: now)
    }

    /// Ends a link.
    package mutating func disconnect(
        _ handle: ConnectionHandle, reason: HCIError? = nil, at now: Duration
    ) -> [Output] {
        settled(outputs(connector.disconnect(handle, reason: reason)), at: now)
    }

    /// The services of a link are known: its parameters may change.
    package mutating func discoveryEnded(on handle: ConnectionHandle, at now: Duration) -> [Output] {
        settled(outputs(connector.discoveryEnded(on: handle)), at: now)
    }

    /// The peripheral's own parameters are in use on a link: the phone does not change them later.
    package mutating func parametersAgreed(on handle: ConnectionHandle) { connector.parametersAgreed(on: handle) }

    /// A device is bonded now.
    package mutating func add(_ peer: DeviceIdentity) { addresses.add(peer) }

    /// The bond with a device was deleted.
    package mutating func forget(_ identity: PeerAddress) { addresses.forget(identity) }

    /// Changes this phone's private address before its time.
    package mutating func changeAddress(at now: Duration) -> [Output] {
        settled(outputs(addresses.change(at: now)), at: now)
    }
}
