import Foundation
import RadioModel

/// How a person chooses one of the accessories on a screen.
///
/// Accessories are listed in the order in which they were found. When their radio is switched off, they disappear from
/// the list; each returns to its old position when it is heard again. If several accessories fit, the first in the list
/// is chosen.
public enum AccessoryChoice: Sendable, Hashable, Codable {
    /// By name: its name over the air, or else the name that the app gave it.
    case named(String)
    /// By position, counted from 1: the accessory that was found first is number 1.
    case number(Int)
    /// By the address that it uses on the air: of Bluetooth, of its network (BSSID), or of Wi-Fi Aware.
    ///
    /// A device with a private address uses that one, and not its own, until it is bonded.
    case address(DeviceAddress)
    /// The accessory with the strongest signal, once this many are heard.
    case strongest(of: Int)
    /// The accessory with the weakest signal, once this many are heard.
    case weakest(of: Int)
    /// By the entry's identifier on the screen. Screens report the person's choice in this form.
    case entry(UUID)

    /// Why no screen can ever offer this choice; nil if one can.
    var mistake: String? {
        switch self {
        case .number(let number) where number < 1: "accessories are counted from 1; there is no number \(number)"
        case .strongest(let count) where count < 1, .weakest(let count) where count < 1:
            "the number of accessories to hear before comparing them must be at least 1, not \(count)"
        case .named, .number, .address, .strongest, .weakest, .entry: nil
        }
    }
}

/// The names, in JSON, of associated values without a label.
extension AccessoryChoice {
    enum NamedCodingKeys: String, CodingKey { case _0 = "name" }
    enum NumberCodingKeys: String, CodingKey { case _0 = "number" }
    enum AddressCodingKeys: String, CodingKey { case _0 = "address" }
    enum EntryCodingKeys: String, CodingKey { case _0 = "id" }
}

extension AccessoryChoice: CustomStringConvertible {
    public var description: String {
        switch self {
        case .named(let name): "“\(name)”"
        case .number(let number): "number \(number)"
        case .address(let address): "\(address)"
        case .strongest(let count): "the strongest of \(count)"
        case .weakest(let count): "the weakest of \(count)"
        case .entry(let id): "entry \(id)"
        }
    }
}

extension Screen {
    /// The index in ``entries`` of the chosen accessory, from 0; nil while no entry fits.
    package func index(of choice: AccessoryChoice) -> Int? {
        switch choice {
        // The name over the air first, because it is more exact.
        case .named(let name):
            entries.firstIndex { $0.detail == name } ?? entries.firstIndex { $0.title == name }
        case .number(let number): number > 0 && number <= entries.count ? number - 1 : nil
        case .entry(let id): entries.firstIndex { $0.id == id }
        case .address(let address): entries.firstIndex { $0.address == address }
        case .strongest(let count): highestRanked(of: count) { $0 }
        case .weakest(let count): highestRanked(of: count) { -$0 }
        }
    }

    /// The index of the entry whose signal has the highest rank, once at least `count` entries have a signal.
    private func highestRanked(of count: Int, rank: (Int) -> Int) -> Int? {
        let ranks = entries.enumerated().compactMap { index, entry in entry.signal.map { (index, rank($0)) } }
        guard count > 0, ranks.count >= count, let highest = ranks.map(\.1).max() else { return nil }
        return ranks.first { $0.1 == highest }?.0
    }

    /// The action with its choice replaced by the chosen entry, so that later changes of the list cannot change the
    /// choice.
    func resolved(_ action: PersonAction) -> PersonAction {
        guard let choice = action.accessory, let index = index(of: choice) else { return action }
        return action.choosing(entries[index].id.map { .entry($0) } ?? .number(index + 1))
    }
}
