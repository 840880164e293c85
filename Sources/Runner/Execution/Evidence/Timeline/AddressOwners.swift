import HILRecord
import RadioModel

/// Adds the owners of Bluetooth addresses to the texts of a story.
struct AddressOwners {
    private var owners: [DeviceAddress: String] = [:]
    /// Whether the rig reported the addresses of the boards' adapters. Only then is an unknown address known to be
    /// foreign.
    private let knowsBoards: Bool
    /// The identity addresses of private addresses, as exchanged during pairing.
    private var privateOnes: [DeviceAddress: DeviceAddress] = [:]
    private var named: Set<String> = []

    /// - Parameter story: The whole story, because the owner of a private address is known only later.
    init(_ story: [RunLine]) {
        for line in story {
            if case .phone(.radio(let radio))? = line.worker, radio.kind == "addressChanged", radio.devices.count == 2 {
                privateOnes[radio.devices[0]] = radio.devices[1]
            }
        }
        let opening = story.prefix { if case .bodyBegan? = $0.worker { false } else { true } }
        knowsBoards = opening.contains { if case .onAir? = $0.worker { true } else { false } }
    }

    /// The text of an event with the owners of its addresses: for events about links, and at the first mention of each.
    mutating func named(_ text: String, of event: ScenarioEvent) -> String {
        if case .onAir(let address, let whose) = event {
            owners[address] = whose
            return text
        }
        var isLink = false
        let addresses: [DeviceAddress]
        switch event {
        case .phone(.radio(let radio)):
            addresses = radio.devices
            isLink = radio.isAboutLink
        case .accessory(let told):
            addresses = told.link.map { [$0] } ?? []
            isLink = true
        default: return text
        }
        return addresses.reduce(text) { text, address in
            guard let whose = owner(of: address) else { return text }
            guard named.insert("\(address) \(whose)").inserted || isLink else { return text }
            return text.replacing("\(address)", with: "\(address), \(whose)", maxReplacements: 1)
        }
    }

    /// The owner of an address; nil if unknown.
    private func owner(of address: DeviceAddress) -> String? {
        if let owner = owners[address] { return owner }
        guard let own = privateOnes[address] else { return knowsBoards ? "a neighbour on the air" : nil }
        return "a private address of \(owners[own] ?? "\(own)")"
    }
}
