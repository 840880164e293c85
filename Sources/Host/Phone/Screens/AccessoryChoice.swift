import Foundation
import RadioModel

/// Which of the accessories on a screen a person means.
///
/// Accessories are listed in the order in which they were found; those whose radio is switched off meanwhile are not there until
/// they are heard again, in their old order. Where several fit, the person means the first in the list.
public enum AccessoryChoice: Sendable, Hashable, Codable {
    /// The one of this name: its name over the air, or else the one that the app gave it.
    case named(String)
    /// The one at this place, counted from 1: the accessory that was found first is number 1.
    case number(Int)
    /// The one that is heard under this address: of Bluetooth, of its network (BSSID), or of Wi-Fi Aware.
    ///
    /// A device with a private address is heard under that until it is bonded, not under its own.
    case address(DeviceAddress)
    /// The one that is heard most strongly, once this many are heard.
    case strongest(of: Int)
    /// The one that is heard most weakly, once this many are heard.
    case weakest(of: Int)
    /// The one whose entry this is: what a screen tells of an accessory that the person has chosen.
    case entry(UUID)

    /// Why no screen can ever offer this; nil for a choice that makes sense.
    var mistake: String? {
        switch self {
        case .number(let number) where number < 1: "accessories are counted from 1; there is no number \(number)"
        case .strongest(let count) where count < 1, .weakest(let count) where count < 1:
            "say how many accessories are to be heard before the person compares them, at least 1 and not \(count)"
        case .named, .number, .address, .strongest, .weakest, .entry: nil
        }
    }
}

/// What a choice in JSON calls the values of its cases that have no label.
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
    /// The place in ``entries`` of the one that a person means, from 0; nil while none fits.
    public func index(of choice: AccessoryChoice) -> Int? {
        switch choice {
        // Over the air first, because that is the more exact name.
        case .named(let name):
            entries.firstIndex { $0.detail == name } ?? entries.firstIndex { $0.title == name }
        case .number(let number): number > 0 && number <= entries.count ? number - 1 : nil
        case .entry(let id): entries.firstIndex { $0.id == id }
        case .address(let address): entries.firstIndex { $0.address == address }
        case .strongest(let count): loudest(of: count) { $0 }
        case .weakest(let count): loudest(of: count) { -$0 }
        }
    }

    /// The first of the entries with a signal whose rank is the highest, once there are that many.
    private func loudest(of count: Int, rank: (Int) -> Int) -> Int? {
        let ranks = entries.enumerated().compactMap { index, entry in entry.signal.map { (index, rank($0)) } }
        guard count > 0, ranks.count >= count, let highest = ranks.map(\.1).max() else { return nil }
        return ranks.first { $0.1 == highest }?.0
    }

    /// The action with the very entry that was meant, whatever else is heard, or heard no more, before it is dealt with.
    func settled(_ action: PersonAction) -> PersonAction {
        guard let choice = action.accessory, let index = index(of: choice) else { return action }
        return action.choosing(entries[index].id.map { .entry($0) } ?? .number(index + 1))
    }
}
